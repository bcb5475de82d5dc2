import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { countByMinute, type MinuteCount } from '../database/count-by-minute.js';
import type { BottleSpan } from '../database/bottle-span.js';
import { newestFirst, type HistoryRange } from '../database/history.js';
import { inPeriods, type OwnersPart } from '../database/owners-part.js';
import { COMPRESSED } from '../database/collection-options.js';
import { insertEach } from '../database/write-each.js';
import type { DoseOutcome as DoseOutcomeName, DosePeriod, UnclearClosing, UnreportedPills } from '#domain';

/** One scheduled dose and what became of it. */
@Schema({
  collection: 'dose_outcomes',
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
  collectionOptions: COMPRESSED,
})
export class DoseOutcome {
  _id: Types.ObjectId;

  @Prop({ type: Types.ObjectId, required: true })
  bottle_id: Types.ObjectId;

  /** The slot: the instant at which the dose was scheduled. */
  @Prop({ type: Date, required: true })
  scheduled_at: Date;

  @Prop({ type: String, required: true })
  outcome: DoseOutcomeName;

  /** When enough pills had been removed. */
  @Prop({ type: Date })
  taken_at?: Date;

  @Prop({ type: Number, required: true })
  pills_scheduled: number;

  @Prop({ type: Number, required: true })
  pills_taken: number;

  /** Of `unknown`: pills that may be the dose left the bottle by its count, and the closing was lost. */
  @Prop({ type: Object })
  unreported?: UnreportedPills;

  /** Of `unknown`: a closing in its window by which it may have been taken, though no report shows it. */
  @Prop({ type: Object })
  unclear_closing?: UnclearClosing;

  /** Of `not_monitored`: the period that its slot is in. Of `unknown`: that of a further bottle of the plan. */
  @Prop({ type: Object })
  period?: DosePeriod;

  @Prop({ type: Date, required: true })
  judged_at: Date;
}

export const DoseOutcomeSchema = SchemaFactory.createForClass(DoseOutcome);

// One outcome a slot; and a bottle's doses in order of time.
DoseOutcomeSchema.index({ bottle_id: 1, scheduled_at: 1 }, { name: 'one_outcome', unique: true });
// How the doses of an hour went, of all bottles, for the charts.
DoseOutcomeSchema.index({ scheduled_at: 1, outcome: 1 }, { name: 'outcomes_by_time' });

type NewOutcome = Omit<DoseOutcome, '_id'>;

/** Every query on `dose_outcomes`. */
@Injectable()
export class DoseOutcomesRepository {
  constructor(@InjectModel(DoseOutcome.name) private readonly outcomes: Model<DoseOutcome>) {}

  /**
   * Writes judgements; a slot that was judged before gets the new outcome, but keeps that of a later judgement.
   *
   * @param first those of slots that probably were not: inserting one costs the database much less
   */
  async upsert(outcomes: readonly NewOutcome[], first: readonly NewOutcome[] = []): Promise<void> {
    const documents = first.map((outcome) => ({ ...outcome }));
    const [failures] = await Promise.all([
      insertEach(this.outcomes.collection, documents),
      this.replace(outcomes),
    ]);
    await this.replace(first.filter((_, index) => failures.has(documents[index]!)));
  }

  private async replace(outcomes: readonly NewOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    await this.outcomes.collection.bulkWrite(
      outcomes.map((outcome) => ({
        updateOne: {
          filter: { bottle_id: outcome.bottle_id, scheduled_at: outcome.scheduled_at },
          update: [
            {
              $replaceWith: {
                $cond: [{ $gt: ['$judged_at', outcome.judged_at] }, '$$ROOT', { _id: '$_id', ...outcome }],
              },
            },
          ],
          upsert: true,
        },
      })),
      { ordered: false },
    );
  }

  /** The slots from `from` on of which a bottle has an outcome and that are not due any more. */
  async findAllBut(bottleId: Types.ObjectId, due: readonly Date[], from: Date): Promise<Date[]> {
    const found = await this.outcomes
      .find(
        { bottle_id: bottleId, scheduled_at: { $gte: from, $nin: [...due] } },
        { scheduled_at: 1, _id: 0 },
      )
      .lean<Pick<DoseOutcome, 'scheduled_at'>[]>();
    return found.map(({ scheduled_at }) => scheduled_at);
  }

  /** Deletes the outcomes of a bottle's doses of these slots. */
  async deleteSlots(bottleId: Types.ObjectId, slots: readonly Date[]): Promise<void> {
    await this.outcomes.deleteMany({ bottle_id: bottleId, scheduled_at: { $in: [...slots] } });
  }

  /** The outcomes of these slots of a bottle, in no particular order. */
  findOfSlots(bottleId: Types.ObjectId, slots: readonly Date[]): Promise<DoseOutcome[]> {
    return this.outcomes
      .find({ bottle_id: bottleId, scheduled_at: { $in: [...slots] } })
      .lean<DoseOutcome[]>();
  }

  /** A bottle's outcomes with slots in [from, to), oldest first. */
  findBetween(bottleId: Types.ObjectId, from: Date, to: Date): Promise<DoseOutcome[]> {
    return this.outcomes
      .find({ bottle_id: bottleId, scheduled_at: { $gte: from, $lt: to } })
      .sort({ scheduled_at: 1 })
      .lean<DoseOutcome[]>();
  }

  /** The outcomes of these bottles with slots in [from, to), in no particular order. */
  findOfBottles(bottleIds: Types.ObjectId[], from: Date, to: Date): Promise<DoseOutcome[]> {
    return this.outcomes
      .find({ bottle_id: { $in: bottleIds }, scheduled_at: { $gte: from, $lt: to } })
      .hint('one_outcome')
      .lean<DoseOutcome[]>();
  }

  /** The outcomes of doses of several bottles, and maybe of other doses of theirs at these times. */
  async findOfDoses(
    doses: readonly { bottle_id: Types.ObjectId; scheduled_at: Date }[],
  ): Promise<Pick<DoseOutcome, 'bottle_id' | 'scheduled_at' | 'outcome'>[]> {
    if (doses.length === 0) return [];
    return this.outcomes
      .find(
        {
          bottle_id: { $in: doses.map(({ bottle_id }) => bottle_id) },
          scheduled_at: { $in: doses.map(({ scheduled_at }) => scheduled_at) },
        },
        { bottle_id: 1, scheduled_at: 1, outcome: 1, _id: 0 },
      )
      .hint('one_outcome')
      .lean<DoseOutcome[]>();
  }

  /** A bottle's outcomes, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange): Promise<DoseOutcome[]> {
    return newestFirst(this.outcomes, { field: 'scheduled_at', hint: 'one_outcome' }, bottleId, range);
  }

  /**
   * A page of the outcomes of several bottles with slots in their spans, newest first; of one instant, the bottle with
   * the greatest id first.
   *
   * @param before the last entry of the previous page: its slot, and its bottle
   */
  async findPageOfBottles(
    spans: readonly BottleSpan[],
    before: { time: Date; id: Types.ObjectId } | undefined,
    limit: number,
  ): Promise<DoseOutcome[]> {
    const ranges = spans.flatMap(({ bottle_id, from, to }) => {
      const isNext = before && bottle_id.toHexString() < before.id.toHexString();
      const end = before && before.time < to ? { [isNext ? '$lte' : '$lt']: before.time } : { $lt: to };
      return from < to ? [{ bottle_id, scheduled_at: { $gte: from, ...end } }] : [];
    });
    if (ranges.length === 0) return [];
    return this.outcomes
      .find({ $or: ranges })
      .sort({ scheduled_at: -1, bottle_id: -1 })
      .limit(limit)
      .lean<DoseOutcome[]>();
  }

  /** How many doses of slots in [from, to) have each outcome, by minute; covered by `outcomes_by_time`. */
  countByMinute(from: Date, to: Date): Promise<MinuteCount[]> {
    const counted = {
      time: 'scheduled_at',
      key: 'outcome',
      hint: 'outcomes_by_time',
      byBottle: 'one_outcome',
    };
    return countByMinute(this.outcomes.collection, counted, from, to);
  }

  /** All outcomes of a bottle, oldest first, read as it is taken: for an export. */
  ofBottle(bottleId: Types.ObjectId, part?: OwnersPart): AsyncIterable<DoseOutcome> {
    return this.outcomes.collection
      .find<DoseOutcome>({ bottle_id: bottleId, ...inPeriods('scheduled_at', part) })
      .hint('one_outcome')
      .sort({ scheduled_at: 1 });
  }

  countOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<number> {
    return this.outcomes.countDocuments({ bottle_id: bottleId, ...inPeriods('scheduled_at', part) });
  }

  async deleteOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<void> {
    await this.outcomes.deleteMany({ bottle_id: bottleId, ...inPeriods('scheduled_at', part) });
  }
}
