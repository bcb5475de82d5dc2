import { MINUTE_MS, DAY_MS, HOUR_MS } from '#domain';
import { mongo } from 'mongoose';

/** What something measured at a moment. */
export interface Sample {
  series: number;
  time: Date;
  value: number;
}

/** So many things each say a number a minute. */
export const SERIES = 10;
const SAMPLES = 1_000_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const END = START + (SAMPLES / SERIES) * MINUTE_MS;
const GROUP = 2_000;

/** A million samples of ten series over two months, in groups, in the order in which they come. */
export function* groups(): Generator<Sample[]> {
  let group: Sample[] = [];
  for (let at = START; at < END; at += MINUTE_MS)
    for (let series = 0; series < SERIES; series += 1) {
      group.push({ series, time: new Date(at + series * 1_000), value: valueAt(at, series) });
      if (group.length < GROUP) continue;
      yield group;
      group = [];
    }
  if (group.length > 0) yield group;
}

function valueAt(at: number, series: number): number {
  return Math.round(50 + 40 * Math.sin(at / DAY_MS + series) + (((at / MINUTE_MS) * 7 + series * 13) % 11));
}

/** A chart of one series: averages of steps. */
export interface ChartOf {
  from: Date;
  to: Date;
  /** Milliseconds; whole hours, or a part of one. */
  step: number;
}

const day = Math.floor(END / DAY_MS) * DAY_MS;
/** Whole units of the documents, so that no way has to cut one up. */
export const CHARTS = {
  'an hour by the minute': { from: new Date(day - HOUR_MS), to: new Date(day), step: MINUTE_MS },
  'a day by 5 minutes': { from: new Date(day - DAY_MS), to: new Date(day), step: 5 * MINUTE_MS },
  '48 days by 3 hours': { from: new Date(day - 48 * DAY_MS), to: new Date(day), step: 3 * HOUR_MS },
} as const satisfies Record<string, ChartOf>;
export type ChartName = keyof typeof CHARTS;

/** An average by the start of its step, in milliseconds. */
export type Drawn = Map<number, number>;

/** A way to keep samples and to draw charts of them. */
export interface Way {
  make(db: mongo.Db): Promise<void>;
  write(db: mongo.Db, group: readonly Sample[]): Promise<void>;
  /** What is asked of the database for a chart. */
  read(db: mongo.Db, series: number, chart: ChartOf): mongo.AggregationCursor | mongo.FindCursor;
  /** The chart of what the database answered. */
  draw(found: mongo.Document[], chart: ChartOf): Drawn;
  /** The collections that hold the samples. */
  collections: string[];
}

/** For those that let the database take the averages: groups by `$dateTrunc`. */
export function averaged(
  time: string,
  { step }: ChartOf,
  sums: { total: object; count: object },
): mongo.Document[] {
  const trunc = { date: time, unit: 'minute', binSize: step / MINUTE_MS };
  return [
    { $group: { _id: { $dateTrunc: trunc }, total: sums.total, count: sums.count } },
    { $match: { count: { $gt: 0 } } },
  ];
}

export function drawAveraged(found: mongo.Document[]): Drawn {
  return new Map(found.map(({ _id, total, count }) => [(_id as Date).getTime(), total / count]));
}

/** The starts of the documents of a length that hold a chart. */
export function startsOf({ from, to }: ChartOf, length: number): Date[] {
  const first = Math.floor(from.getTime() / length) * length;
  return Array.from(
    { length: Math.ceil((to.getTime() - first) / length) },
    (_, n) => new Date(first + n * length),
  );
}

export function groupedBy<T>(
  group: readonly Sample[],
  of: (sample: Sample) => T,
): Map<string, { key: T; samples: Sample[] }> {
  const groups = new Map<string, { key: T; samples: Sample[] }>();
  for (const sample of group) {
    const key = of(sample);
    const name = JSON.stringify(key);
    const known = groups.get(name);
    if (known) known.samples.push(sample);
    else groups.set(name, { key, samples: [sample] });
  }
  return groups;
}
