import { ManualClock } from '#platform';
import { Job, WATCH_MS, type Work } from './job.js';

const NOW = new Date('2026-03-02T08:00:00Z');
const LIMIT = 4 * WATCH_MS;

let happened: string[];
let runs: { stopping: () => boolean; end: () => void; fail: (error: Error) => void }[];
let job: Job;

/** A run that goes on until the test ends it. */
const work: Work = (stopping) =>
  new Promise<void>((resolve, reject) => void runs.push({ stopping, end: resolve, fail: reject }));
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  happened = [];
  runs = [];
  const events = {
    began: () => () => void happened.push('ended'),
    failed: (error: unknown) => void happened.push(`failed: ${(error as Error).message}`),
    abandoned: () => void happened.push('abandoned'),
  };
  job = new Job('test', work, LIMIT, events, new ManualClock(NOW));
});

function watch(times: number): void {
  for (let time = 0; time < times; time += 1) job.watch();
}

it('has one run at a time, and knows when one finished', async () => {
  job.start();
  job.start();
  expect(runs).toHaveLength(1);
  expect(job.finishedAt).toBeUndefined();
  runs[0]!.end();
  await settled();
  expect(job.finishedAt).toEqual(NOW);
  job.start();
  expect(runs).toHaveLength(2);
});

it('a run that hangs is abandoned at the limit, and the next tick begins another', () => {
  job.start();
  watch(3);
  expect(happened).toEqual([]);
  watch(1);
  expect(happened).toEqual(['abandoned']);
  job.start();
  expect(runs).toHaveLength(2);
  // the abandoned one stops, should it go on
  expect(runs[0]!.stopping()).toBe(true);
  expect(runs[1]!.stopping()).toBe(false);
});

it('a run that gets on is not abandoned, however long it takes', () => {
  job.start();
  for (let page = 0; page < 10; page += 1) {
    watch(3);
    runs[0]!.stopping();
  }
  expect(happened).toEqual([]);
  expect(job.idleMs).toBe(0);
});

it('is idle while no run finishes: when they fail, and when they hang', async () => {
  job.start();
  runs[0]!.fail(new Error('no database'));
  await settled();
  expect(happened).toEqual(['failed: no database', 'ended']);
  watch(10);
  expect(job.idleMs).toBe(10 * WATCH_MS);
  job.start();
  watch(5);
  expect(job.idleMs).toBe(15 * WATCH_MS);
});

it('what an abandoned run does later changes nothing', async () => {
  job.start();
  watch(4);
  job.start();
  runs[0]!.stopping();
  runs[0]!.end();
  await settled();
  expect(job.finishedAt).toBeUndefined();
  expect(job.idleMs).toBe(4 * WATCH_MS);
  job.start();
  expect(runs).toHaveLength(2);
});

it('a stop waits for the run in progress, and not for an abandoned one', async () => {
  job.start();
  watch(4);
  await job.stop();
  job.start();
  expect(runs).toHaveLength(1);
});
