import { Random } from '../../random.js';
import { NOON } from '../../harness/bottle/testing.js';
import { ADHERENT } from './doses.js';
import { badClock, chooseProfile } from './profile.js';

const fleet = (seed: number) =>
  Array.from({ length: 1000 }, (_, index) => chooseProfile(new Random(seed, index), NOON.getTime()));

it('a fleet has some of every problem, and most bottles have none', () => {
  const profiles = fleet(1);
  const count = (has: (profile: (typeof profiles)[number]) => boolean) => profiles.filter(has).length;
  expect(count(({ habit }) => habit !== ADHERENT)).toBeGreaterThan(250);
  expect(count(({ leavesOpen }) => leavesOpen)).toBeGreaterThan(70);
  expect(count(({ wifiOutages }) => wifiOutages)).toBeGreaterThan(110);
  expect(count(({ link }) => link.repeats > 0)).toBeGreaterThan(150);
  expect(count(({ clock }) => clock.offsetMs !== 0)).toBeGreaterThan(35);
  expect(
    count(
      ({ clock, link, wifiOutages, leavesOpen }) =>
        clock.offsetMs === 0 && link.repeats === 0 && !wifiOutages && !leavesOpen,
    ),
  ).toBeGreaterThan(450);
});

it('the same seed makes the same fleet', () => {
  expect(fleet(1)).toEqual(fleet(1));
  expect(fleet(1)).not.toEqual(fleet(2));
});

it('a bad clock shows 1970, or is off by a quarter of an hour to twelve', () => {
  const random = new Random('clock');
  const clocks = Array.from({ length: 200 }, () => badClock(random, NOON.getTime()));
  const reset = clocks.filter((clock) => clock.write(NOON.getTime()).startsWith('1970-01-01T00:00:00.000'));
  expect(reset.length).toBeGreaterThan(70);
  const hours = clocks
    .filter((clock) => !reset.includes(clock))
    .map(({ offsetMs }) => Math.abs(offsetMs) / 3_600_000);
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(0.25);
  expect(Math.max(...hours)).toBeLessThanOrEqual(12);
});
