import { DAY, MINUTE } from '../generate/oracle/facts.js';

/** A clock that is off by so much is believed. */
const TOLERANCE = 2 * MINUTE;
/** What is further from its receipt cannot be meant. */
const YEAR = 366 * DAY;

/**
 * When an event really happened, by rules REPORT-4 to REPORT-6. Epoch milliseconds.
 *
 * @param time by the device's clock, as `sentAt` is
 * @returns undefined if the report of it is refused
 */
export function happenedAt(time: string, sentAt: string | undefined, received: number): number | undefined {
  const shown = Date.parse(time);
  const off = sentAt === undefined ? 0 : Date.parse(sentAt) - received;
  const shifted = Math.abs(off) > TOLERANCE ? shown - off : shown;
  const canBe = (at: number): boolean => at <= received + TOLERANCE && at >= received - YEAR;
  const meant = [shifted, shown].find(canBe) ?? shifted;
  return Math.abs(meant - received) <= YEAR ? Math.min(meant, received) : undefined;
}
