import { isInstant } from '#platform';

const DAY_S = 24 * 60 * 60;
/** Numbers below it are seconds since 1970, the others milliseconds: as seconds it is the year 5138. */
const FEWEST_MS = 100_000_000_000;

/** Seconds and milliseconds since 1970, the second 60 and the hour 24, as ISO 8601 texts that we read. */
export function correctedTime(value: unknown): unknown {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
    const at = new Date(value < FEWEST_MS ? value * 1_000 : value);
    return Number.isNaN(at.getTime()) ? value : at.toISOString();
  }
  if (typeof value !== 'string') return value;
  const [, date, hour, minute, second = '00', zone] =
    /^(\d{4}-\d{2}-\d{2}T)(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.exec(value) ?? [];
  const isMidnight = hour === '24' && minute === '00' && second === '00';
  if (date === undefined || !(isMidnight || second === '60')) return value;
  const start = Date.parse(`${date}00:00:00${zone}`);
  const seconds = isMidnight ? DAY_S : Number(hour) * 3_600 + Number(minute) * 60 + 60;
  return Number.isNaN(start) ? value : new Date(start + seconds * 1_000).toISOString();
}

/** A time without a zone as if it were one of UTC; undefined for anything else. */
export function inUtc(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const utc = correctedTime(`${value}Z`);
  return isInstant(utc) ? utc : undefined;
}

/** The clock at the sending of a batch, by which its items were timed. */
export interface BatchClock {
  /** As it was sent. */
  sent: unknown;
  /** The same as an instant, if it has a zone. */
  at: Date | undefined;
  /** The same as an instant of UTC, if it has none. */
  unzoned: Date | undefined;
}

/** @param sent as it came @param at as it was understood */
export function batchClock(sent: unknown, at: string | undefined): BatchClock {
  const unzoned = inUtc(sent);
  return {
    sent,
    at: at === undefined ? undefined : new Date(at),
    unzoned: unzoned ? new Date(unzoned) : undefined,
  };
}

/** The clock by which an item of a batch was timed. @param isWithoutZone of the item's time */
export function clockOf({ at, unzoned }: BatchClock, isWithoutZone: boolean): Date | undefined {
  return isWithoutZone ? unzoned : at;
}
