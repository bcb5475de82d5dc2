import { SECOND_MS } from '#domain';
import { wallClockTime } from '../harness/wall-clock.js';
import { planDemo } from './plan.js';

const THRESHOLDS = {
  silentAfterMs: 20 * SECOND_MS,
  openAfterMs: 10 * SECOND_MS,
  backlogGraceMs: 10 * SECOND_MS,
};
const STARTS = Array.from({ length: 60 }, (_, second) => new Date(Date.UTC(2026, 2, 2, 12, 0, second, 500)));

it.each(STARTS)(
  'started at %s, every condition lasts long enough to be found and clears within two minutes',
  (now) => {
    const plan = planDemo(now, THRESHOLDS);
    const start = now.getTime();
    expect(plan.slot % 60_000).toBe(0);
    expect(plan.slot - start).toBeGreaterThanOrEqual(20 * SECOND_MS);
    expect(plan.slot - start).toBeLessThan(80 * SECOND_MS);
    expect(plan.closedAt - plan.openedAt).toBeGreaterThan(THRESHOLDS.openAfterMs + 5 * SECOND_MS);
    expect(plan.backAt - plan.silentFrom).toBeGreaterThan(THRESHOLDS.silentAfterMs + 5 * SECOND_MS);
    expect(plan.takenInSilenceAt).toBeGreaterThan(plan.silentFrom);
    expect(plan.takenInSilenceAt).toBeLessThan(plan.backAt);
    expect(plan.takenLateAt - plan.slot).toBeGreaterThan(5 * SECOND_MS + plan.heartbeatEvery + 5 * SECOND_MS);
    expect(Math.max(plan.closedAt, plan.backAt, plan.takenLateAt) - start).toBeLessThan(120 * SECOND_MS);
  },
);

it('waits with the late dose until a first report is relied upon, when that is what takes longest', () => {
  const plan = planDemo(STARTS[0]!, { ...THRESHOLDS, backlogGraceMs: 120 * SECOND_MS });
  expect(plan.takenLateAt - STARTS[0]!.getTime()).toBe((120 + 5 + 15) * SECOND_MS);
});

it('writes a minute as a clock in a zone shows it', () => {
  const at = Date.parse('2026-03-02T23:30:00Z');
  expect(
    ['UTC', 'Asia/Kolkata', 'America/New_York', 'Europe/Berlin'].map((zone) => wallClockTime(at, zone)),
  ).toEqual(['23:30', '05:00', '18:30', '00:30']);
});
