import type { mongo } from 'mongoose';
import type { Line } from '../report/line.js';
import { perSecond } from '../report/line.js';
import { bytesInUse } from '../fixtures/bytes-in-use.js';
import { percentile, spread } from '../report/rounds.js';
import type { BenchHarness } from '../harness.js';
import { type ChartName, CHARTS, type Drawn, groups, SERIES, type Way } from './samples.js';
import { buckets } from './ways/buckets.js';
import { events } from './ways/events.js';
import { native } from './ways/native.js';
import { nested } from './ways/nested.js';

const WAYS = {
  'a document an event': events,
  'bucket documents': buckets,
  'nested arrays': nested,
  'native time series': native,
};
type WayName = keyof typeof WAYS;
/** Each series is drawn so often. */
const DRAWN = 3;

interface Measured {
  perSecond: number;
  bytes: number;
  charts: Record<ChartName, { documents: number; ms: number; drawn: Drawn }>;
}

/** The four ways of the source documents, with the same million samples and the same three charts. */
export async function fourWays(harness: BenchHarness): Promise<Line[]> {
  const measured = {} as Record<WayName, Measured>;
  for (const [name, way] of Object.entries(WAYS)) measured[name as WayName] = await measure(harness, way);
  assertSame(measured);
  const long = (name: WayName): number => measured[name].charts['48 days by 3 hours'].ms;
  const quickest = Math.min(...(Object.keys(WAYS) as WayName[]).map(long));
  const figures = Object.fromEntries(
    Object.entries(measured).map(([name, { perSecond: rate, bytes, charts }]) => [
      name,
      [
        `${perSecond(rate)} written`,
        `${bytes.toFixed(1)} B a sample`,
        ...Object.entries(charts).map(
          ([chart, { documents, ms }]) => `${chart} ${documents} documents ${ms.toFixed(1)} ms`,
        ),
      ].join('; '),
    ]),
  );
  const most = Math.max(
    ...Object.values(measured['bucket documents'].charts).map(({ documents }) => documents),
  );
  return [
    {
      number: 16,
      what: 'documents that the longest of the charts reads from buckets (the quickest way for 48 days took '.concat(
        `${quickest.toFixed(1)} ms)`,
      ),
      target: 'at most 48',
      value: spread([most]),
      met: most <= 48,
      figures,
    },
  ];
}

async function measure(harness: BenchHarness, way: Way): Promise<Measured> {
  const db = harness.newDatabase('ways');
  await way.make(db);
  let [written, ms] = [0, 0];
  for (const group of groups()) {
    const start = performance.now();
    await way.write(db, group);
    ms += performance.now() - start;
    written += group.length;
  }
  await harness.client.db('admin').command({ fsync: 1 });
  let bytes = 0;
  for (const name of way.collections) bytes += await bytesInUse(db.collection(name));
  const charts = {} as Measured['charts'];
  for (const name of Object.keys(CHARTS) as ChartName[]) charts[name] = await drawAll(db, way, name);
  await db.dropDatabase();
  return { perSecond: (written * 1_000) / ms, bytes: bytes / written, charts };
}

async function drawAll(db: mongo.Db, way: Way, name: ChartName): Promise<Measured['charts'][ChartName]> {
  const chart = CHARTS[name];
  const times: number[] = [];
  let drawn: Drawn = new Map();
  for (let round = 0; round < DRAWN; round += 1)
    for (let series = 0; series < SERIES; series += 1) {
      const start = performance.now();
      drawn = way.draw(await way.read(db, series, chart).toArray(), chart);
      times.push(performance.now() - start);
    }
  const documents = examined(await way.read(db, SERIES - 1, chart).explain('executionStats'));
  times.sort((one, other) => one - other);
  return { documents, ms: percentile(times, 0.5), drawn };
}

/** The documents that a plan has examined, wherever it says so. */
function examined(plan: unknown): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  return Math.max(
    0,
    ...Object.entries(plan).map(([key, value]) =>
      key === 'totalDocsExamined' ? Number(value) : examined(value),
    ),
  );
}

/** A way that draws another chart is no way. */
function assertSame(measured: Record<WayName, Measured>): void {
  for (const name of Object.keys(CHARTS) as ChartName[]) {
    const expected = measured['a document an event'].charts[name].drawn;
    for (const [way, { charts }] of Object.entries(measured)) {
      const { drawn } = charts[name];
      const differs = [...expected].some(
        ([at, value]) => Math.abs((drawn.get(at) ?? Number.NaN) - value) > 1e-9,
      );
      if (differs || Number.isNaN([...drawn.values()][0]) || drawn.size !== expected.size)
        throw new Error(`${way} draws ${name} otherwise: ${drawn.size} points of ${expected.size}`);
    }
  }
}
