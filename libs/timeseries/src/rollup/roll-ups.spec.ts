import type { LoggedMetric } from '../tiers/metrics.js';
import type { DirtyBucket } from './dirty-buckets.js';
import { RollUps } from './roll-ups.js';

const HOUR = new Date('2026-03-02T08:00:00Z');
const LATER = new Date('2026-03-02T09:00:00Z');

const dirty = (metric: LoggedMetric, timestamp: Date): DirtyBucket => ({
  _id: { metric, timestamp },
  marked_at: HOUR,
  done: false,
});

/** Counts these hours. @returns what was counted of which hour, and what is settled, as seen when */
async function run(open: DirtyBucket[]): Promise<{ counted: string[]; settled: [DirtyBucket, Date][] }> {
  const counted: string[] = [];
  const settled: [DirtyBucket, Date][] = [];
  let now = Date.parse('2026-03-02T10:00:00Z');
  const log = (metric: string) => ({
    countByMinute: async (from: Date) => {
      counted.push(`${metric} ${from.getUTCHours()}`);
      return [];
    },
  });
  const buckets = {
    add: async () => undefined,
    findOpen: async () => open,
    settle: async (...one: [DirtyBucket, Date]) => void settled.push(one),
  };
  const documents = { set: async () => undefined, find: async () => [] };
  const logs = ['doses', 'statements', 'alerts', 'deliveries', 'adherence'].map(log);
  const rollUps = new RollUps(
    ...([buckets, documents, ...logs] as unknown as ConstructorParameters<typeof RollUps>),
  );
  await rollUps.run({ now: () => new Date((now += 1_000)) });
  return { counted, settled };
}

it('an hour of which doses and statements have changed has its adherence counted once', async () => {
  const open = [
    dirty('statements', HOUR),
    dirty('doses', HOUR),
    dirty('alerts', HOUR),
    dirty('doses', LATER),
  ];
  const { counted, settled } = await run(open);
  expect(counted.filter((one) => one.startsWith('adherence'))).toEqual(['adherence 8', 'adherence 9']);
  expect(counted.toSorted()).toEqual([
    'adherence 8',
    'adherence 9',
    'alerts 8',
    'doses 8',
    'doses 9',
    'statements 8',
  ]);
  // none as seen later than it was counted
  expect(settled.map(([bucket]) => bucket)).toEqual(open);
  const [first, second, third, last] = settled.map(([, seenAt]) => seenAt.getTime());
  expect([second, third]).toEqual([first, first]);
  expect(last).toBeGreaterThan(first!);
});
