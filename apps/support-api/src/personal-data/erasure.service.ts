import { periodsOf } from '#domain';
import {
  type Actor,
  AuditRepository,
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  DatabaseStatus,
  ERASED_KINDS,
  ERASURE,
  type ErasedKind,
  NotesRepository,
  overwrittenAt,
  type OwnersPart,
  PillWeightsRepository,
  SharedPlansRepository,
  type Subject,
} from '#persistence';
import { Clock, CountsField, IdField, InstantField, Problem, TextField } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { AuditLog } from '../auth/audit-log.js';
import { SearchIndex } from '../bottles/search-index.js';
import { SharedPlansService } from '../bottles/shared-plans.service.js';
import { BottleRecords, type RecordsOfBottle } from './bottle-records.js';
import { ErasuresFile } from './erasures-file.js';
import { ownersOf, partOfPlan } from './owners-parts.js';

export const OPLOG_UNTIL =
  'About when the oplog, the database’s own log of changes, has overwritten the last entries of what was erased, at the ' +
  'rate at which it grows now. null: not known, since support-api may not read it; ask whoever runs the database, or ' +
  '`npm run admin -- erasure verify USER_ID`.';

/** What remains of an erased bottle. It contains no patient data. */
export class ErasureReceiptDto {
  @IdField()
  bottle_id: string;

  @InstantField()
  erased_at: Date;

  @TextField({ description: 'The name, at that time, of the person who erased it.' })
  erased_by: string;

  @CountsField(ERASED_KINDS, { description: 'The number of erased documents (vitals: one per day).' })
  counts: Record<ErasedKind, number>;

  @InstantField({ nullable: true, description: OPLOG_UNTIL })
  oplog_until: Date | null;
}

export const NOTHING: Record<ErasedKind, number> = {
  actions: 0,
  heartbeats: 0,
  doses: 0,
  attestations: 0,
  alerts: 0,
  deliveries: 0,
  vitals: 0,
  notes: 0,
};

/** Documents that are erased together. */
type Erasable = Pick<RecordsOfBottle, 'count' | 'delete'>;

/** Erases a bottle with all its data. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly records: BottleRecords,
    private readonly notes: NotesRepository,
    private readonly weights: PillWeightsRepository,
    private readonly searchIndex: SearchIndex,
    private readonly plans: SharedPlansService,
    private readonly sharedPlans: SharedPlansRepository,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly entries: AuditRepository,
    private readonly file: ErasuresFile,
    private readonly database: DatabaseStatus,
  ) {}

  /** Erases one bottle of a person. @throws Problem as {@link erase}; 409 `shares_plan`, `leads_plan` */
  async eraseAlone(id: Types.ObjectId, by: Actor): Promise<ErasureReceiptDto> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    await this.plans.assertAlone(bottle);
    return this.erase(id, by);
  }

  /**
   * Erases the token first, so that the bottle can no longer report; then the state, so that no check finds it; the
   * registry entry last, so that an interrupted erasure can be repeated. Until then the registry entry holds the
   * counts, each written before its log is deleted, and the audit log has the receipt before the entry is deleted: a
   * crash or another caller loses neither.
   *
   * @throws Problem 404
   */
  async erase(id: Types.ObjectId, by: Actor): Promise<ErasureReceiptDto> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    await this.bottles.disownToken(id);
    await this.sharedPlans.noteErasure(bottle, this.clock.now());
    await this.states.delete(id);
    const stored = this.storedOf(id, ownersOf(bottle));
    await Promise.all([
      ...ERASED_KINDS.map((kind) =>
        empty(stored[kind], (count) => this.bottles.countErased(id, kind, count)),
      ),
      this.weights.deleteOfBottle(id),
      this.searchIndex.remove(bottle),
    ]);
    const emptied = await this.bottles.findById(id);
    // another request erased it first
    if (!emptied) throw Problem.notFound('bottle');
    const counts = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, emptied.erased?.[kind] ?? 0]));
    await this.file.append({ bottle: id.toHexString(), erased_at: this.clock.now() });
    await this.audit.record(by, { action: ERASURE, subject: subjectOf(id), details: { counts } });
    await this.bottles.delete(id);
    return this.receipt(id);
  }

  /** @param part a former owner's, without anybody else's */
  private storedOf(id: Types.ObjectId, owners: string[], part?: OwnersPart): Record<ErasedKind, Erasable> {
    const notes = {
      count: () => this.notes.countOfBottle(id, owners),
      delete: () => this.notes.deleteOfBottle(id, owners),
    };
    return { ...this.records.of(id, part), notes };
  }

  /**
   * Erases what is a former owner's of a bottle that is somebody else's now: reports, doses, ended alerts, messages,
   * and the vitals of every day that was partly theirs. Alerts that last stay, by pseudonym.
   *
   * @param keep keeps how many documents are about to be deleted; when that is repeated, the most counts
   */
  async eraseFormerOwner(
    bottle: Bottle,
    userId: string,
    pseudonym: string,
    keep: (counts: Partial<Record<ErasedKind, number>>) => Promise<void>,
  ): Promise<void> {
    const { _id: id } = bottle;
    const stored = this.storedOf(id, [userId], await this.records.partOf(bottle, userId));
    const erase = (kind: ErasedKind): Promise<void> =>
      empty(stored[kind], (count) => keep({ [kind]: count }));
    // first: an erasure that is repeated finds them by the alerts
    await erase('deliveries');
    await this.records.pseudonymizeOpenAlerts(id, userId, pseudonym);
    await Promise.all(ERASED_KINDS.filter((kind) => kind !== 'deliveries').map(erase));
    await this.searchIndex.removeUser(bottle, userId);
    const others = ownersOf(bottle).filter((owner) => owner !== userId);
    const periods = others.flatMap((owner) => periodsOf(bottle, owner));
    await this.bottles.eraseFormerOwner(bottle, userId, pseudonym, partOfPlan(bottle, periods));
  }

  /** @throws Problem 404 for a bottle that was not erased */
  async receipt(id: Types.ObjectId): Promise<ErasureReceiptDto> {
    const receipt = await this.findReceipt(id);
    if (!receipt) throw Problem.notFound('erasure');
    return { ...receipt, oplog_until: await this.oplogUntil(receipt.erased_at) };
  }

  /** When the oplog has overwritten what was erased at an instant; null if that is not known. */
  async oplogUntil(erasedAt: Date): Promise<Date | null> {
    const window = await this.database.readOplogWindow();
    return (window && overwrittenAt(erasedAt, window, this.clock.now())) ?? null;
  }

  /** Undefined for a bottle that was not erased. */
  async findReceipt(id: Types.ObjectId): Promise<Omit<ErasureReceiptDto, 'oplog_until'> | undefined> {
    const [entry, bottle] = await Promise.all([
      this.entries.findLast(subjectOf(id), ERASURE),
      this.bottles.findById(id),
    ]);
    if (!entry || bottle) return undefined;
    return {
      bottle_id: id.toHexString(),
      erased_at: entry.at,
      erased_by: entry.who.name,
      counts: { ...NOTHING, ...(entry.details['counts'] as Partial<ErasureReceiptDto['counts']>) },
    };
  }
}

/** Counts first: what is deleted and not counted is not in the receipt of an erasure that was interrupted. */
async function empty(stored: Erasable, keep: (count: number) => Promise<void>): Promise<void> {
  await keep(await stored.count());
  await stored.delete();
}

function subjectOf(id: Types.ObjectId): Subject {
  return { kind: 'bottle', id: id.toHexString() };
}
