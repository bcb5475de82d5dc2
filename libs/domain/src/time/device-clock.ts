import { DAY_MS } from './durations.js';
/** Beyond this offset, a device's clock is wrong and its times are shifted. Milliseconds. */
export const CLOCK_TOLERANCE_MS = 2 * 60_000;

/** Times further than this from now, after correction, are refused. Milliseconds. */
export const PLAUSIBLE_SPAN_MS = 366 * DAY_MS;

/** An event time and its correction. */
export interface CorrectedTime {
  time: Date;
  /** The device's own time, when it was changed. */
  device_time?: Date;
}

/**
 * The clock offset in milliseconds: the device's time at sending minus ours at receipt.
 * 0 without `sent_at`, or within {@link CLOCK_TOLERANCE_MS}.
 */
export function clockOffset(sentAt: Date | undefined, receivedAt: Date): number {
  if (!sentAt) return 0;
  const offset = sentAt.getTime() - receivedAt.getTime();
  return Math.abs(offset) > CLOCK_TOLERANCE_MS ? offset : 0;
}

/**
 * Shifts an event time by the clock offset and clamps it to now. A time that is possible as it is stays as it is if the
 * shift would make it impossible: a device whose clock was set meanwhile, as by a new battery, has events by both clocks.
 *
 * @returns undefined for a time more than a year away even so: the device has to send `sent_at`
 */
export function correctEventTime(time: Date, offsetMs: number, receivedAt: Date): CorrectedTime | undefined {
  const now = receivedAt.getTime();
  const shifted = time.getTime() - offsetMs;
  if (!isPossible(shifted, now) && isPossible(time.getTime(), now))
    return clampedTo(now, time, time.getTime());
  if (Math.abs(shifted - now) > PLAUSIBLE_SPAN_MS) return undefined;
  return clampedTo(now, time, shifted);
}

/** Whether an event may have happened then: at most a year ago, and not later than a right clock may say. */
function isPossible(time: number, now: number): boolean {
  return time - now <= CLOCK_TOLERANCE_MS && now - time <= PLAUSIBLE_SPAN_MS;
}

function clampedTo(now: number, device_time: Date, time: number): CorrectedTime {
  const corrected = new Date(Math.min(time, now));
  return corrected.getTime() === device_time.getTime()
    ? { time: device_time }
    : { time: corrected, device_time };
}
