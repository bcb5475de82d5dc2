import { HOUR_MS } from '#domain';
import { DeviceClock } from '../../harness/bottle/device-clock.js';
import { type LinkHabits, STEADY_LINK } from '../../harness/bottle/link.js';
import type { Random } from '../../random.js';
import { ADHERENT, FORGETFUL, type Habit } from './doses.js';

/** What a bottle, its owner and their home are like. */
export interface Profile {
  habit: Habit;
  leavesOpen: boolean;
  wifiOutages: boolean;
  link: LinkHabits;
  clock: DeviceClock;
}

const FLAKY_LINK: LinkHabits = { lostAnswers: 0.05, repeats: 0.1 };
const MOST_HOURS_OFF = 12;

/** Shares of a fleet. Each is drawn independently, so one bottle may have every problem. */
const SHARES = {
  forgetful: 0.3,
  leavesOpen: 0.1,
  wifiOutages: 0.15,
  flakyLink: 0.2,
  badClock: 0.06,
} as const;

/** Chooses what a bottle is like. */
export function chooseProfile(random: Random, now: number): Profile {
  return {
    habit: random.chance(SHARES.forgetful) ? FORGETFUL : ADHERENT,
    leavesOpen: random.chance(SHARES.leavesOpen),
    wifiOutages: random.chance(SHARES.wifiOutages),
    link: random.chance(SHARES.flakyLink) ? FLAKY_LINK : STEADY_LINK,
    clock: random.chance(SHARES.badClock) ? badClock(random, now) : new DeviceClock(),
  };
}

/** Half of the wrong clocks began again in 1970, the others are hours ahead or behind. */
export function badClock(random: Random, now: number): DeviceClock {
  if (random.chance(0.5)) return DeviceClock.resetAt(now);
  const hours = random.between(0.25, MOST_HOURS_OFF) * (random.chance(0.5) ? 1 : -1);
  return new DeviceClock(Math.round(hours * HOUR_MS));
}
