import { parseSchedule, slotsBetween, MINUTE_MS, DAY_MS } from '#domain';
import { Random } from '../../random.js';
import { NOON, testBottle } from '../../harness/bottle/testing.js';
import { dosePlan, firstDose } from './dose-plan.js';
import { ADHERENT, doseDelay, doses, FORGETFUL } from './doses.js';
import { Pace } from './behaviours.js';

describe.each([
  ['real time', 1, 480, 3],
  ['60', 60, 8, 24],
  ['3600', 3600, 1, 24],
  ['slower than real', 0.5, 960, 1],
])('a plan at speed %s', (_, speed, minutes, count) => {
  it.each(['Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Australia/Adelaide'])(
    'is a schedule that the domain reads as the same doses, in %s',
    (time_zone) => {
      const pace = new Pace(speed);
      const plan = dosePlan(pace, firstDose(pace, NOON, 0.7), time_zone);
      expect(plan.slots).toHaveLength(count);
      expect(new Set(plan.slots.slice(1).map((slot, index) => slot - plan.slots[index]!))).toEqual(
        new Set(count > 1 ? [minutes * MINUTE_MS] : []),
      );
      const schedule = parseSchedule(plan.schedule);
      const slots = slotsBetween(
        [{ effective_from: NOON, time_zone, schedule }],
        [],
        NOON,
        new Date(NOON.getTime() + DAY_MS),
      );
      expect(slots.map(({ scheduled_at }) => scheduled_at.getTime())).toEqual(plan.slots);
      expect(slots[0]!.late_at.getTime() - plan.slots[0]!).toBe(plan.lateMs);
      expect(plan.next).toBe(plan.slots.at(-1)! + minutes * MINUTE_MS);
      expect(plan.endsAt).toBeLessThan(plan.next);
    },
  );
});

it('the first dose is a whole minute, at least half a minute away, and fleets are spread', () => {
  const first = [0, 0.5, 0.99].map((phase) => firstDose(new Pace(60), NOON, phase) - NOON.getTime());
  expect(first).toEqual([1, 5, 8].map((minutes) => minutes * MINUTE_MS));
});

describe('habits', () => {
  const plan = dosePlan(new Pace(60), firstDose(new Pace(60), NOON, 0), 'UTC');
  const delays = (habit: typeof ADHERENT) => {
    const random = new Random('habits');
    return Array.from({ length: 1000 }, () => doseDelay(habit, plan, random));
  };

  it('the adherent take every dose on time', () => {
    expect(
      delays(ADHERENT).every((delay) => delay !== undefined && delay > -plan.earlyMs && delay < plan.lateMs),
    ).toBe(true);
  });

  it('the forgetful skip three in ten and take some late', () => {
    const all = delays(FORGETFUL);
    const skipped = all.filter((delay) => delay === undefined).length;
    const late = all.filter((delay) => delay !== undefined && delay > plan.lateMs).length;
    expect(skipped).toBeGreaterThan(250);
    expect(skipped).toBeLessThan(350);
    expect(late).toBeGreaterThan(100);
    expect(late).toBeLessThan(180);
  });
});

it('a bottle takes the doses of its plan, one pill each, and then those of the next', async () => {
  const pace = new Pace(3600);
  const { bottle, timeline, api, advance } = testBottle();
  const plan = dosePlan(pace, firstDose(pace, NOON, 0), 'UTC');
  const renewed: number[] = [];
  const renew = (before: typeof plan) => {
    renewed.push(before.next);
    return dosePlan(pace, before.next, 'UTC');
  };
  doses(ADHERENT, plan, renew)({ bottle, timeline, pace, random: new Random('doses') });
  await advance(26.5 * MINUTE_MS);
  const taken = api.calls.filter((call) => call.path === 'actions' && call.body.pills_taken === 1);
  expect(taken).toHaveLength(26);
  expect(renewed).toEqual([plan.next]);
});
