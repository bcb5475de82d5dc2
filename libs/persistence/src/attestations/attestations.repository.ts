import {
  type Attestation as DomainAttestation,
  type Attestor,
  ATTESTORS,
  groupBy,
  MINUTE_MS,
  type NoDose as DomainNoDose,
  onAttestation,
  type PillSource,
  readReport,
  type ReportedOutcome,
  type SkipReason,
  STATEMENT_KINDS,
  type StatementKind,
  type Withdrawal as DomainWithdrawal,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, type Model, type QueryFilter, Types } from 'mongoose';
import { BOTTLE_STATE, type StoredBottleState } from '../bottle-states/bottle-state.schema.js';
import { toUpdate } from '../bottle-states/state-update.js';
import { NO_CANARY } from '../canaries/canaries.js';
import { isDuplicateKey } from '../database/duplicate-key.js';
import type { MinuteCount } from '../database/count-by-minute.js';
import { newestFirst, type HistoryRange } from '../database/history.js';
import { inPeriods, type OwnersPart } from '../database/owners-part.js';
import { LONG_COMMAND } from '../database/time-limits.js';
import { inTransaction } from '../database/transaction.js';

/**
 * What a person says about a dose of a bottle, or that an earlier entry is withdrawn. Entries are never changed: the
 * domain reads what stands of them. They change nothing of what was measured.
 */
@Schema({ collection: 'attestations', versionKey: false, autoIndex: false, autoCreate: false })
export class AttestationRecord {
  _id: Types.ObjectId;

  @Prop({ type: Types.ObjectId, required: true })
  bottle_id: Types.ObjectId;

  /** The slot: the instant at which the dose was scheduled. Of `no_dose`: when the pills were removed. */
  @Prop({ type: Date, required: true })
  scheduled_at: Date;

  /** When it was recorded. */
  @Prop({ type: Date, required: true })
  at: Date;

  @Prop({ type: String, required: true, enum: [...STATEMENT_KINDS, 'no_dose', 'withdrawn'] })
  kind: StatementKind | 'no_dose' | 'withdrawn';

  /** By the windows of the slot; absent of a withdrawal, and of `no_dose`. */
  @Prop({ type: String })
  outcome?: ReportedOutcome;

  @Prop({ type: Date })
  taken_at?: Date;

  @Prop({ type: Number })
  pills?: number;

  @Prop({ type: String })
  source?: PillSource;

  @Prop({ type: String })
  reason?: SkipReason;

  @Prop({ type: String })
  note?: string;

  /** Whose word it is. */
  @Prop({ type: String, required: true, enum: ATTESTORS })
  attested_by: Attestor;

  /** The name of the member of staff or API key; `user:ID` or `carer:ID` for the link of a message. */
  @Prop({ type: String, required: true })
  recorded_by: string;

  /** Of a withdrawal: the entry that it withdraws. */
  @Prop({ type: Types.ObjectId })
  withdraws?: Types.ObjectId;
}

interface Stored {
  _id: Types.ObjectId;
  bottle_id: Types.ObjectId;
}
export type Attestation = DomainAttestation & Stored;
export type Withdrawal = DomainWithdrawal & Stored & { withdraws: Types.ObjectId };
export type NoDose = DomainNoDose & Stored;
export type AttestationEntry = Attestation | Withdrawal | NoDose;

export const AttestationSchema = SchemaFactory.createForClass(AttestationRecord);

// What people say about a bottle's doses, in the order of the doses.
AttestationSchema.index({ bottle_id: 1, scheduled_at: 1 }, { name: 'by_dose' });
// What people say about the doses of the fleet in a time, in the order of the doses, for the charts.
AttestationSchema.index({ scheduled_at: 1 }, { name: 'attestations_by_time' });

class NoBottle extends Error {}

/** Every query on `attestations`. */
@Injectable()
export class AttestationsRepository {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel(AttestationRecord.name) private readonly attestations: Model<AttestationRecord>,
    @InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>,
  ) {}

  /**
   * Adds an entry and arms the check of doses, in one transaction. `exists`: there is one with its id. `no_bottle`: the
   * bottle is not registered, or is being erased.
   */
  async add(entry: AttestationEntry): Promise<'added' | 'exists' | 'no_bottle'> {
    const { bottle_id, scheduled_at, at } = entry;
    try {
      await inTransaction(this.connection, async () => {
        const armed = toUpdate(onAttestation(scheduled_at, at));
        const { matchedCount } = await this.states.updateOne({ _id: bottle_id }, armed);
        if (matchedCount === 0) throw new NoBottle();
        await this.attestations.insertMany([entry as AttestationRecord]);
      });
      return 'added';
    } catch (error) {
      if (error instanceof NoBottle) return 'no_bottle';
      if (isDuplicateKey(error)) return 'exists';
      throw error;
    }
  }

  /** An entry of this bottle. */
  find(bottle_id: Types.ObjectId, _id: Types.ObjectId): Promise<AttestationEntry | null> {
    return this.attestations.findOne({ _id, bottle_id }).lean<AttestationEntry>();
  }

  /** The entries about slots of a bottle in [from, to), oldest slot first. */
  findBetween(bottle_id: Types.ObjectId, from: Date, to: Date): Promise<AttestationEntry[]> {
    return this.attestations
      .find({ bottle_id, scheduled_at: { $gte: from, $lt: to } })
      .hint('by_dose')
      .sort({ scheduled_at: 1 })
      .lean<AttestationEntry[]>();
  }

  /** The entries about these slots of a bottle, in the order of the slots. */
  async findOfSlots(bottle_id: Types.ObjectId, slots: readonly Date[]): Promise<AttestationEntry[]> {
    if (slots.length === 0) return [];
    return this.attestations
      .find({ bottle_id, scheduled_at: { $in: [...slots] } })
      .hint('by_dose')
      .lean<AttestationEntry[]>();
  }

  /** The entries about slots from a time on, by the bottle's id in hex; bottles without one are left out. */
  findSince(bottleIds: readonly Types.ObjectId[], since: Date): Promise<Map<string, AttestationEntry[]>> {
    return this.findByBottle({ bottle_id: { $in: [...bottleIds] }, scheduled_at: { $gte: since } });
  }

  /** The entries about doses of several bottles, as {@link findSince} returns them. */
  async findOfDoses(
    doses: readonly { bottle_id: Types.ObjectId; scheduled_at: Date }[],
  ): Promise<Map<string, AttestationEntry[]>> {
    if (doses.length === 0) return new Map();
    return this.findByBottle({
      bottle_id: { $in: doses.map(({ bottle_id }) => bottle_id) },
      scheduled_at: { $in: doses.map(({ scheduled_at }) => scheduled_at) },
    });
  }

  private async findByBottle(
    filter: QueryFilter<AttestationRecord>,
  ): Promise<Map<string, AttestationEntry[]>> {
    const found = await this.attestations.find(filter).hint('by_dose').lean<AttestationEntry[]>();
    return groupBy(found, ({ bottle_id }) => bottle_id.toHexString());
  }

  /** All entries of a bottle by slot, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange): Promise<AttestationEntry[]> {
    return newestFirst(
      this.attestations as unknown as Model<AttestationEntry>,
      { field: 'scheduled_at', hint: 'by_dose' },
      bottleId,
      range,
    );
  }

  /** All entries of a bottle, oldest slot first, read as they are taken: for an export. */
  ofBottle(bottleId: Types.ObjectId, part?: OwnersPart): AsyncIterable<AttestationEntry> {
    return this.attestations.collection
      .find<AttestationEntry>({ bottle_id: bottleId, ...inPeriods('scheduled_at', part) })
      .hint('by_dose')
      .sort({ scheduled_at: 1 });
  }

  /**
   * Of how many doses of slots in [from, to) people report each outcome, by minute: the latest statement that stands.
   * Reads the entries by `attestations_by_time`, one instant after the other.
   */
  async countByMinute(from: Date, to: Date): Promise<MinuteCount[]> {
    const counts = new Map<string, MinuteCount>();
    for await (const { scheduled_at, outcome } of this.findStanding(from, to)) {
      const minute = new Date(Math.floor(scheduled_at.getTime() / MINUTE_MS) * MINUTE_MS);
      const name = `${minute.getTime()} ${outcome}`;
      const { count } = counts.get(name) ?? { count: 0 };
      counts.set(name, { minute, key: outcome, count: count + 1 });
    }
    return [...counts.values()];
  }

  /** Of each dose of the fleet with a slot in [from, to) the latest statement that stands, oldest slot first. */
  async *findStanding(from: Date, to: Date): AsyncGenerator<Attestation> {
    let instant: AttestationEntry[] = [];
    for await (const entry of this.ofSlots(from, to)) {
      if (instant[0] && instant[0].scheduled_at.getTime() !== entry.scheduled_at.getTime()) {
        yield* latestOf(instant);
        instant = [];
      }
      instant.push(entry);
    }
    yield* latestOf(instant);
  }

  /** All entries about slots in [from, to), oldest slot first, without those of canaries. */
  private ofSlots(from: Date, to: Date): AsyncIterable<AttestationEntry> {
    return this.attestations.collection
      .find<AttestationEntry>(
        { scheduled_at: { $gte: from, $lt: to }, bottle_id: NO_CANARY },
        { projection: { note: 0, recorded_by: 0 }, ...LONG_COMMAND },
      )
      .hint('attestations_by_time')
      .sort({ scheduled_at: 1 });
  }

  countOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<number> {
    return this.attestations.countDocuments({ bottle_id: bottleId, ...inPeriods('scheduled_at', part) });
  }

  async deleteOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<void> {
    await this.attestations.deleteMany({ bottle_id: bottleId, ...inPeriods('scheduled_at', part) });
  }
}

/** Of each bottle the latest statement that stands. */
function latestOf(ofInstant: readonly AttestationEntry[]): Attestation[] {
  const byBottle = groupBy(ofInstant, ({ bottle_id }) => bottle_id.toHexString());
  return [...byBottle.values()].flatMap((entries) => readReport(entries)?.latest ?? []);
}
