import { COVERAGE_PARTS, type CoveragePart } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Model } from 'mongoose';

/**
 * A coverage gap that was longer than `COVERAGE_GAP_AFTER`: its alert is raised before it is recorded, and ended before
 * its end is.
 */
@Schema({ collection: 'coverage_gaps', versionKey: false, autoIndex: false, autoCreate: false })
export class RecordedGap {
  /** The part and `from`. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: String, required: true, enum: COVERAGE_PARTS })
  part: CoveragePart;

  @Prop({ type: Date, required: true })
  from: Date;

  /** Absent while it lasts. */
  @Prop({ type: Date })
  until?: Date;

  /** How many doses of the fleet were due in it; present with `until`. */
  @Prop({ type: Number })
  doses?: number;

  /** When all doses that it left unconfirmed had been found, so that their contacts are notified. Only of `device-api`. */
  @Prop({ type: Date })
  settled_at?: Date;
}

export const RecordedGapSchema = SchemaFactory.createForClass(RecordedGap);

// The gaps of a time, newest first.
RecordedGapSchema.index({ from: -1, _id: -1 }, { name: 'by_time' });

/** When we could not see for long: every query on `coverage_gaps`. */
@Injectable()
export class CoverageGapsRepository {
  constructor(@InjectModel(RecordedGap.name) private readonly gaps: Model<RecordedGap>) {}

  /** Records a gap, or its end. */
  async record({ _id, ...gap }: RecordedGap): Promise<void> {
    await this.gaps.updateOne({ _id }, { $set: gap }, { upsert: true });
  }

  /**
   * The gaps in which no reports were accepted and whose doses may still be settled by a backlog.
   *
   * @param lately also those whose doses were found after this
   */
  findUnsettled(lately?: Date): Promise<RecordedGap[]> {
    const unsettled = { settled_at: { $exists: false } };
    return this.gaps
      .find({
        part: 'device-api',
        ...(lately ? { $or: [unsettled, { settled_at: { $gt: lately } }] } : unsettled),
      })
      .hint('by_time')
      .lean<RecordedGap[]>();
  }

  /** The gaps of a part whose end is not recorded. */
  findOpen(part: CoveragePart): Promise<RecordedGap[]> {
    return this.gaps
      .find({ part, until: { $exists: false } })
      .hint('by_time')
      .lean<RecordedGap[]>();
  }

  /** The gaps of `[from, to)`, of one part or of all, newest first: the latest 1,000 that began before `to`. */
  async findDuring(from: Date, to: Date, part?: CoveragePart): Promise<RecordedGap[]> {
    const found = await this.gaps
      .find({ from: { $lt: to }, ...(part && { part }) })
      .hint('by_time')
      .sort({ from: -1, _id: -1 })
      .limit(1_000)
      .lean<RecordedGap[]>();
    return found.filter(({ until }) => !until || until > from);
  }

  findByIds(ids: string[]): Promise<RecordedGap[]> {
    return this.gaps.find({ _id: { $in: ids } }).lean<RecordedGap[]>();
  }
}
