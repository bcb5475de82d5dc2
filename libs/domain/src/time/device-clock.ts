/** Beyond this a device's clock is wrong and its times are shifted (design, section 4). Milliseconds. */
export const CLOCK_TOLERANCE_MS = 2 * 60_000;

/** Times further than this from now, after correction, cannot be meant. Milliseconds. */
export const PLAUSIBLE_SPAN_MS = 366 * 24 * 60 * 60_000;

/** An event time as it is to be used, and what was done to it. */
export interface CorrectedTime {
  time: Date;
  /** The device's own time, when it was changed. */
  device_time?: Date;
}

/**
 * By how much the device's clock is off: its time at sending less ours at receipt, in milliseconds.
 * 0 when it says nothing, or when the difference is within {@link CLOCK_TOLERANCE_MS}.
 */
export function clockOffset(sentAt: Date | undefined, receivedAt: Date): number {
  if (!sentAt) return 0;
  const offset = sentAt.getTime() - receivedAt.getTime();
  return Math.abs(offset) > CLOCK_TOLERANCE_MS ? offset : 0;
}

/**
 * Shifts an event time by the clock's offset; what is still in the future is clamped to now.
 *
 * @returns undefined for a time that even so is more than a year away: the device has to say `sent_at`.
 */
export function correctEventTime(time: Date, offsetMs: number, receivedAt: Date): CorrectedTime | undefined {
  const now = receivedAt.getTime();
  const shifted = time.getTime() - offsetMs;
  if (Math.abs(shifted - now) > PLAUSIBLE_SPAN_MS) return undefined;
  const corrected = new Date(Math.min(shifted, now));
  return corrected.getTime() === time.getTime() ? { time } : { time: corrected, device_time: time };
}
