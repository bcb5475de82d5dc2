import { countVitalsSecond, type VitalsSample } from '../counting/vitals.js';
import type { Tally } from '../counting/tally.js';
import { MINUTE } from '../time/units.js';

/** So many bottles are remembered, those heard last. */
const REMEMBERED = 20_000;

interface Remembered {
  sample: VitalsSample;
  counted: boolean;
}

/**
 * Knows which bottles report several times a minute: a sample with another one within a minute of it is counted by
 * the second, too. Several of one moment are a backlog and do not make a bottle one that reports often.
 */
export class RecentSamples {
  private readonly last = new Map<string, Remembered>();

  /** Counts a heartbeat's sample, and the one before it, if they are close. */
  count(tally: Tally, sample: VitalsSample, now: Date): void {
    const bottle = sample.bottle_id.toHexString();
    const before = this.last.get(bottle);
    const close = before !== undefined && areClose(before.sample.time, sample.time);
    if (close && !before.counted) countVitalsSecond(tally, before.sample, now);
    if (close) countVitalsSecond(tally, sample, now);
    this.remember(bottle, { sample, counted: close });
  }

  private remember(bottle: string, sample: Remembered): void {
    this.last.delete(bottle);
    this.last.set(bottle, sample);
    if (this.last.size > REMEMBERED) this.last.delete(this.last.keys().next().value!);
  }
}

/** Whether two heartbeats of a bottle come from one that reports several times a minute. */
export function areClose(one: Date, other: Date): boolean {
  const apart = Math.abs(one.getTime() - other.getTime());
  return apart > 0 && apart <= MINUTE;
}
