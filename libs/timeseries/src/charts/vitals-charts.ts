import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import { collectionOf } from '../collections/families.js';
import { groupBy } from '../collections/group-by.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import type { Vital } from '../counting/vitals.js';
import { DAY, floor, HOUR, MINUTE, SECOND, spansBetween } from '../time/units.js';
import { offsetAt } from '../time/wall-clock.js';
import { boundariesOf } from './boundaries.js';
import type { Chart } from './columns.js';
import type { ChartRange } from './fleet-plan.js';
import { MOST_DOCUMENTS, MOST_POINTS, type Step, STEPS, TooManyPointsError } from './steps.js';
import { averages, typicalSpacing, type Samples } from './samples.js';

type Sampled = Partial<Record<Vital, Omit<Samples, 'at'>>>;

/** A bottle's day by the minute and by the hour, or its hour by the second. */
interface VitalsDocument {
  _id: { bottle_id: Types.ObjectId; timestamp: Date };
  values?: Record<string, Record<string, Sampled>>;
  hours?: Record<string, Sampled>;
}

const LABELS: Record<Vital, [label: string, unit: string]> = {
  battery: ['Battery', '%'],
  signal: ['Signal', 'dBm'],
  mass: ['Mass', 'g'],
  pills: ['Pills', 'pills'],
};
/** Steps of a bottle's charts. */
export const VITALS_STEPS: Step[] = ['1s', '1m', '5m', '15m', '30m', '1h', '3h', '6h', '1d', '7d'];

/** What a bottle said of itself. An average of any span is that of its samples, not of its parts' averages. */
@Injectable()
export class VitalsCharts {
  constructor(private readonly collections: RangedCollections) {}

  /** @throws TooManyPointsError when the step that was chosen is too fine for the range, or the range too long. */
  async chart(bottleId: Types.ObjectId, vital: Vital, range: ChartRange): Promise<Chart> {
    const documents = documentsOf(range.step === '1s' ? 'hour' : 'day', range);
    const drawn = clipped(range, documents);
    const samples = await this.samples(bottleId, vital, drawn, documents);
    const { step, boundaries } = layOut(drawn, typicalSpacing(samples));
    const [label, unit] = LABELS[vital];
    return {
      series: [
        { key: 'average', label, unit },
        { key: 'minimum', label: `${label}, lowest`, unit },
        { key: 'maximum', label: `${label}, highest`, unit },
      ],
      columns: averages(boundaries, samples),
      step,
      step_seconds: STEPS[step] / 1000,
      from: boundaries[0]!,
      to: boundaries.at(-1)!,
      time_zone: range.timeZone,
    };
  }

  /** By the second, the hour or the minute: the coarsest that the chart can be made of exactly. */
  private async samples(
    bottleId: Types.ObjectId,
    vital: Vital,
    range: ChartRange,
    documents: Date[],
  ): Promise<Samples[]> {
    if (range.step === '1s') {
      const found = await this.find('ts_vitals_seconds', bottleId, documents, minutesOf(range));
      return found.flatMap((document) => numbered(document, vital, [MINUTE, SECOND]));
    }
    if (isOfWholeHours(range)) {
      const found = await this.find('ts_vitals', bottleId, documents, hoursOf(vital));
      return found.flatMap(({ _id, hours }) => samplesOf(hours, vital, _id.timestamp, HOUR));
    }
    const found = await this.find('ts_vitals', bottleId, documents, { values: 1 });
    return found.flatMap((document) => numbered(document, vital, [HOUR, MINUTE]));
  }

  private async find(
    family: 'ts_vitals' | 'ts_vitals_seconds',
    bottleId: Types.ObjectId,
    starts: Date[],
    projection: mongo.Document,
  ): Promise<VitalsDocument[]> {
    const found = await Promise.all(
      [...groupBy(starts, (start) => collectionOf(family, start))].map(([name, some]) =>
        this.collections
          .existing<VitalsDocument>(name)
          .find(
            { _id: { $in: some.map((timestamp) => ({ bottle_id: bottleId, timestamp })) } },
            { projection },
          )
          .toArray(),
      ),
    );
    return found.flat();
  }
}

/** The starts of the documents that hold a range; of 49, which 48 days are that do not begin at midnight, the last 48. */
function documentsOf(span: 'hour' | 'day', { from, to }: ChartRange): Date[] {
  const length = span === 'hour' ? HOUR : DAY;
  const [first, last] = [floor(from, length), floor(new Date(to.getTime() - 1), length)];
  // reckoned before it is laid out: somebody may ask for a thousand years
  if ((last.getTime() - first.getTime()) / length > MOST_DOCUMENTS)
    throw new TooManyPointsError(`at most ${MOST_DOCUMENTS} ${span}s a chart`);
  return spansBetween(span, from, to).slice(-MOST_DOCUMENTS);
}

/** Of an hour by the second only the minutes that are drawn: it may hold 3,600 samples, and a chart 500. */
function minutesOf({ from, to }: ChartRange): mongo.Document {
  const end = Math.min(to.getTime(), from.getTime() + HOUR);
  const minutes = spansBetween('minute', from, new Date(end));
  return Object.fromEntries(minutes.map((minute) => [`values.${minute.getUTCMinutes()}`, 1]));
}

/** What is drawn of a day by the hour. */
function hoursOf(vital: Vital): mongo.Document {
  return Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [`hours.${hour}.${vital}`, 1]));
}

/** Whether every point of the chart, whatever step is chosen for it, begins with an hour. */
function isOfWholeHours({ from, to, step, timeZone }: ChartRange): boolean {
  const least = step === 'auto' ? (to.getTime() - from.getTime()) / MOST_POINTS : STEPS[step];
  // no zone sets its clock by less than an hour and back within 48 days
  return least >= HOUR && [from, to].every((at) => offsetAt(at, timeZone) % HOUR === 0);
}

function clipped(range: ChartRange, documents: readonly Date[]): ChartRange {
  const [first] = documents;
  return first !== undefined && first > range.from ? { ...range, from: first } : range;
}

/**
 * With `auto` the finest step of at most 500 points that is no finer than the bottle reports: a heartbeat every 30
 * minutes makes a line, and what is missing a gap.
 */
function layOut(range: ChartRange, spacing: number): { step: Step; boundaries: Date[] } {
  const span = range.to.getTime() - range.from.getTime();
  for (const step of VITALS_STEPS) {
    if (
      range.step === 'auto' ? STEPS[step] < Math.max(spacing, MINUTE) && step !== '7d' : step !== range.step
    )
      continue;
    if (span / STEPS[step] > MOST_POINTS) continue;
    const boundaries = boundariesOf(range.from, range.to, step, range.timeZone);
    if (boundaries.length - 1 <= MOST_POINTS) return { step, boundaries };
  }
  throw new TooManyPointsError(`at most ${MOST_POINTS} points a chart`);
}

/** @param units the lengths that the outer and the inner numbered fields count. Milliseconds. */
function numbered(
  { _id, values = {} }: VitalsDocument,
  vital: Vital,
  [outer, inner]: [number, number],
): Samples[] {
  const start = _id.timestamp.getTime();
  return Object.entries(values).flatMap(([field, rest]) =>
    samplesOf(rest, vital, new Date(start + Number(field) * outer), inner),
  );
}

/** @param unit the length that the numbered fields count from `start` on. Milliseconds. */
function samplesOf(fields: Record<string, Sampled> = {}, vital: Vital, start: Date, unit: number): Samples[] {
  const found: Samples[] = [];
  for (const [field, { [vital]: samples }] of Object.entries(fields)) {
    if (!samples) continue;
    const { num_samples, total, min, max } = samples;
    found.push({ at: new Date(start.getTime() + Number(field) * unit), num_samples, total, min, max });
  }
  return found;
}
