import {
  continuesCoverage,
  coverageInterval,
  type CoveragePart,
  DAY_MS,
  MAY_HOLD_MS,
  type ProcessSpan,
  RecordedCoverage,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { randomUUID } from 'node:crypto';

/**
 * A time in which one device-api process accepted reports and could store them. The process extends `until`; after a
 * crash it stays as it was, so that our own outage never counts as a bottle's silence.
 */
@Schema({ collection: 'listening_spans', versionKey: false, autoIndex: false, autoCreate: false })
export class CoverageSpan {
  /** A random id, one per process and uninterrupted span. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: Date, required: true })
  from: Date;

  @Prop({ type: Date, required: true })
  until: Date;

  /** The host, port and worker; only of device-api. */
  @Prop({ type: String })
  listener?: string;

  /** The channels that are set up; only of a notifier. */
  @Prop({ type: [String], default: undefined })
  channels?: string[];

  /** The process stopped in an orderly way. */
  @Prop({ type: Boolean })
  ended?: boolean;
}

/** A time in which the checks of one notifier ran. */
@Schema({ collection: 'check_spans', versionKey: false, autoIndex: false, autoCreate: false })
export class CheckSpan extends CoverageSpan {}

export const CoverageSpanSchema = SchemaFactory.createForClass(CoverageSpan);
export const CheckSpanSchema = SchemaFactory.createForClass(CheckSpan);

/** A notifier that has recorded that its checks run so lately still runs. Milliseconds. */
const RUNNING_MS = 60_000;

const THIRTY_DAYS_S = 30 * 24 * 60 * 60;
/** Spans of this time have not been deleted. Milliseconds. */
const KEPT_MS = 29 * DAY_MS;

// The spans since a moment; deleted 30 days after they ended.
for (const schema of [CoverageSpanSchema, CheckSpanSchema])
  schema.index({ until: 1 }, { name: 'TTL', expireAfterSeconds: THIRTY_DAYS_S });

/** When reports were accepted, and when checks ran: every query on `listening_spans` and `check_spans`. */
@Injectable()
export class CoverageRepository {
  constructor(
    @InjectModel(CoverageSpan.name) private readonly spans: Model<CoverageSpan>,
    @InjectModel(CheckSpan.name) private readonly checks: Model<CoverageSpan>,
  ) {}

  /**
   * Records a beat of a process: it extends the process's span, or begins another if it is late.
   *
   * @returns the span that the next beat may extend
   */
  async beat(
    part: CoveragePart,
    current: CoverageSpan | undefined,
    now: Date,
    intervalMs: number,
    about: Pick<CoverageSpan, 'listener' | 'channels'> = {},
  ): Promise<CoverageSpan> {
    const continues = current && continuesCoverage(current, now, intervalMs);
    const span = continues
      ? { ...current, until: now }
      : { _id: randomUUID(), from: now, until: now, ...about };
    await this.extend(span, part);
    return span;
  }

  /** Begins a span or extends it. */
  async extend({ _id, until, ...begun }: CoverageSpan, part: CoveragePart = 'device-api'): Promise<void> {
    await this.spansOf(part).updateOne({ _id }, { $setOnInsert: begun, $max: { until } }, { upsert: true });
  }

  /** A process stops in an orderly way: nobody waits for its next beat. */
  async end({ _id }: Pick<CoverageSpan, '_id'>, part: CoveragePart = 'device-api'): Promise<void> {
    await this.spansOf(part).updateOne({ _id }, { $set: { ended: true } });
  }

  /**
   * The channels that are set up, of each notifier that runs. One that was killed counts for a minute; one of a version
   * that records no channels does not count.
   */
  async findNotifiersChannels(now: Date): Promise<string[][]> {
    const found = await this.checks
      .find(
        { until: { $gt: new Date(now.getTime() - RUNNING_MS) }, ended: { $ne: true } },
        { _id: 0, channels: 1 },
      )
      .lean<{ channels?: string[] }[]>();
    return found.flatMap(({ channels }) => (channels ? [channels] : []));
  }

  /**
   * What is known of the time since a moment, or of the last 29 days, since spans are deleted after 30.
   *
   * @param silentAfterMs the allowed silence, by which device-api beats
   */
  async read(since: Date, now: Date, silentAfterMs: number): Promise<RecordedCoverage> {
    const from = new Date(Math.max(since.getTime(), now.getTime() - KEPT_MS));
    const spans = await this.findSince(new Date(from.getTime() - MAY_HOLD_MS));
    return new RecordedCoverage(spans, { since: from, now }, coverageInterval(silentAfterMs));
  }

  /** Silence and lids can be judged up to this moment: nothing is concluded of a time in which we did not listen. */
  async findDueBy(now: Date, silentAfterMs: number): Promise<Date> {
    const since = new Date(now.getTime() - MAY_HOLD_MS);
    const spans = await this.findAround('device-api', since);
    return new RecordedCoverage(spans, { since, now }, coverageInterval(silentAfterMs)).dueBy;
  }

  /** The spans that reach beyond `since`, of all processes, in no particular order. */
  findSince(since: Date): Promise<ProcessSpan[]> {
    return this.spans.find({ until: { $gte: since } }, { _id: 0 }).lean<ProcessSpan[]>();
  }

  /** The spans of a part that reach beyond `since`, and the last one before. */
  async findAround(part: CoveragePart, since: Date): Promise<ProcessSpan[]> {
    const fields = { _id: 0 };
    const spans = this.spansOf(part);
    const before = spans
      .find({ until: { $lt: since } }, fields)
      .sort({ until: -1 })
      .limit(1);
    const found = await Promise.all(
      [before, spans.find({ until: { $gte: since } }, fields)].map((query) => query.lean<ProcessSpan[]>()),
    );
    return found.flat();
  }

  private spansOf(part: CoveragePart): Model<CoverageSpan> {
    return part === 'notifier' ? this.checks : this.spans;
  }
}
