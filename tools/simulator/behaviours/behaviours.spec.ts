import { Random } from '../../random.js';
import { testBottle } from '../../harness/bottle/testing.js';
import { type Behaviour, heartbeats, leavesOpen, opensOnly, Pace, wifiOutages } from './behaviours.js';

const PACE = new Pace(60);
const HOUR = 60_000; // of the fleet's time, in real milliseconds

/** Lets a bottle live with one behaviour only. */
async function live(behave: Behaviour, ms: number, seed: string | number = 1) {
  const test = testBottle();
  behave({ bottle: test.bottle, timeline: test.timeline, pace: PACE, random: new Random(seed) });
  await test.advance(ms);
  return test;
}

/** Every report that reached the server, as [seconds since noon, what]. */
function reports({ acks }: Awaited<ReturnType<typeof live>>): [number, string][] {
  return acks.map(({ type, time }) => [(Date.parse(time) - Date.parse('2026-03-02T12:00:00Z')) / 1000, type]);
}

it('heartbeats come every 30 minutes of the fleet, each bottle at its own moment', async () => {
  const times = reports(await live(heartbeats, 2 * HOUR)).map(([seconds]) => seconds);
  expect(times).toHaveLength(4);
  expect(times.slice(1).map((time, index) => Math.round(time - times[index]!))).toEqual([30, 30, 30]);
  const other = reports(await live(heartbeats, 2 * HOUR, 2)).map(([seconds]) => seconds);
  expect(other[0]).not.toBe(times[0]);
});

it('the same seed gives the same actions', async () => {
  const [one, same, other] = [1, 1, 2].map((seed) => live(opensOnly, 24 * HOUR, seed));
  expect(reports(await one!)).toEqual(reports(await same!));
  expect(reports(await one!)).not.toEqual(reports(await other!));
});

it('looks inside some six times a day, taking nothing', async () => {
  const { api, bottle } = await live(opensOnly, 10 * 24 * HOUR);
  const closings = api.calls.filter((call) => call.path === 'actions' && call.body.action === 'closed');
  expect(closings.length).toBeGreaterThan(40);
  expect(closings.length).toBeLessThan(80);
  expect(closings.every((call) => call.path === 'actions' && call.body.pills_taken === 0)).toBe(true);
  expect(bottle.open).toBe(false);
});

it('leaves the bottle open for ten minutes to two hours', async () => {
  const times = reports(await live(leavesOpen, 5 * 24 * HOUR)).map(([seconds]) => seconds);
  expect(times.length).toBeGreaterThan(6);
  for (let index = 0; index + 1 < times.length; index += 2) {
    const lasted = times[index + 1]! - times[index]!;
    expect(lasted).toBeGreaterThanOrEqual(9.9);
    expect(lasted).toBeLessThanOrEqual(120.2);
  }
});

it('an outage ends, and its backlog follows in a batch', async () => {
  const both: Behaviour = (life) => {
    heartbeats(life);
    wifiOutages(life);
  };
  const { api, acks, outbox, stats, advance } = await live(both, 48 * HOUR);
  const batches = api.calls.filter((call) => call.path === 'batch');
  expect(batches.length).toBeGreaterThan(1);
  outbox.setOnline(true);
  await advance(0);
  expect(stats.snapshot()).toMatchObject({ backlog: 0, offline: 0, refused: 0 });
  expect(acks).toHaveLength(96);
});
