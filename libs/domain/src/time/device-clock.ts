/** Beyond this offset, a device's clock is wrong and its times are shifted. Milliseconds. */
export const CLOCK_TOLERANCE_MS = 2 * 60_000;

/** Times further than this from now, after correction, are refused. Milliseconds. */
export const PLAUSIBLE_SPAN_MS = 366 * 24 * 60 * 60_000;

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
 * Shifts an event time by the clock offset and clamps it to now.
 *
 * @returns undefined for a time more than a year away even so: the device has to send `sent_at`
 */
export function correctEventTime(time: Date, offsetMs: number, receivedAt: Date): CorrectedTime | undefined {
  const now = receivedAt.getTime();
  const shifted = time.getTime() - offsetMs;
  if (Math.abs(shifted - now) > PLAUSIBLE_SPAN_MS) return undefined;
  const corrected = new Date(Math.min(shifted, now));
  return corrected.getTime() === time.getTime() ? { time } : { time: corrected, device_time: time };
}
