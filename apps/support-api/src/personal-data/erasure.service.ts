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
import { AuditLog } from '../auth/audit-log.js';
import type { Staff } from '../auth/staff.js';
import { SearchIndex } from '../bottles/search-index.js';
import { Id, Json, Text, Time } from '../http/view.js';

/** What remains of an erased bottle. It contains no patient data. */
export class ErasureReceiptDto {
  @Id()
  bottle_id: string;

  @Time()
  erased_at: Date;

  @Text({ description: 'The name, at that time, of the person who erased it.' })
  erased_by: string;

  @Json({
    description: `The number of erased documents: ${ERASED_KINDS.join(', ')} (vitals: one document per day or hour).`,
  })
  counts: Record<ErasedKind, number>;
}

/** Erases a bottle with all its data. */
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
    private readonly searchIndex: SearchIndex,
    private readonly audit: AuditLog,
    private readonly entries: AuditRepository,
  ) {}

  /**
   * Erases the token first, so that the bottle can no longer report; then the state, so that no check finds it; the
   * registry entry last, so that an interrupted erasure can be repeated. Until then the registry entry holds the
   * counts, and the audit log has the receipt before the entry is deleted: a crash loses neither.
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
      this.searchIndex.remove(bottle),
    ]);
    const emptied = await this.bottles.findById(id);
    // another request erased it first
    if (!emptied) throw Problem.notFound('bottle');
    const counts = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, emptied.erased?.[kind] ?? 0]));
    await this.audit.record(by, { action: ERASURE, subject: subjectOf(id), details: { counts } });
    await this.bottles.delete(id);
    return this.receipt(id);
  }

  /** @throws Problem 404 for a bottle that was not erased */
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
