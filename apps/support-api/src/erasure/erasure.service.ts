import {
  AlertsRepository,
  AuditRepository,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
  BottleStatesRepository,
  DeliveriesRepository,
  DoseOutcomesRepository,
  ERASED_KINDS,
  ERASURE,
  type ErasedKind,
  PillWeightsRepository,
  type Subject,
} from '#persistence';
import { Problem } from '#platform';
import { BottleVitals } from '#timeseries';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { AuditLog } from '../audit/audit-log.js';
import type { Staff } from '../auth/staff.js';
import { FindableService } from '../bottles/findable.service.js';
import type { ErasureReceiptDto } from './erasure.dto.js';

/** Erases a bottle and everything that is known of it. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly vitals: BottleVitals,
    private readonly weights: PillWeightsRepository,
    private readonly findable: FindableService,
    private readonly audit: AuditLog,
    private readonly entries: AuditRepository,
  ) {}

  /**
   * The token first, so that nothing more is reported; then the state, so that no check finds it; the registry
   * last, so that an erasure that was cut short can be asked for again. Until then the registry keeps count, and
   * before it goes the audit has the receipt: a crash loses neither.
   *
   * @throws Problem 404
   */
  async erase(id: Types.ObjectId, by: Staff): Promise<ErasureReceiptDto> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    await this.bottles.disownToken(id);
    await this.states.delete(id);
    const deletions: Record<ErasedKind, Promise<number>> = {
      actions: this.actions.deleteOfBottle(id),
      heartbeats: this.heartbeats.deleteOfBottle(id),
      doses: this.outcomes.deleteOfBottle(id),
      alerts: this.alerts.deleteOfBottle(id),
      deliveries: this.deliveries.deleteOfBottle(id),
      vitals: this.vitals.deleteOfBottle(id),
    };
    await Promise.all([
      ...ERASED_KINDS.map(async (kind) => this.bottles.countErased(id, kind, await deletions[kind])),
      this.weights.deleteOfBottle(id),
      this.findable.remove(bottle),
    ]);
    const emptied = await this.bottles.findById(id);
    // someone else asked for the same, and was first
    if (!emptied) throw Problem.notFound('bottle');
    const counts = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, emptied.erased?.[kind] ?? 0]));
    await this.audit.record(by, { action: ERASURE, subject: subjectOf(id), details: { counts } });
    await this.bottles.delete(id);
    return this.receipt(id);
  }

  /** @throws Problem 404 for a bottle that was not erased. */
  async receipt(id: Types.ObjectId): Promise<ErasureReceiptDto> {
    const [entry, bottle] = await Promise.all([
      this.entries.findLast(subjectOf(id), ERASURE),
      this.bottles.findById(id),
    ]);
    if (!entry || bottle) throw Problem.notFound('erasure');
    return {
      bottle_id: id.toHexString(),
      erased_at: entry.at,
      erased_by: entry.who.name,
      counts: entry.details['counts'] as ErasureReceiptDto['counts'],
    };
  }
}

function subjectOf(id: Types.ObjectId): Subject {
  return { kind: 'bottle', id: id.toHexString() };
}
