import { Temporal } from 'temporal-polyfill';
import { isQuarters } from './pills.js';
import { ScheduleError } from './schedule.js';

export type Fields = Record<string, unknown>;

/** The value as an object whose every field is in `allowed`; a field given as undefined counts as absent. */
export function readObject(value: unknown, field: string, allowed: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ScheduleError(field, 'must be an object');
  }
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw new ScheduleError(`${field}.${unknown}`, 'is not a known field');
  return { ...value };
}

/** A whole number within bounds, both included. */
export function readInteger(value: unknown, field: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new ScheduleError(field, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** A number of pills: a multiple of a quarter within bounds, both included. */
export function readPills(value: unknown, field: string, max: number): number {
  if (typeof value !== 'number' || !isQuarters(value) || value <= 0 || value > max) {
    throw new ScheduleError(field, `must be a number of pills from 0.25 to ${max}, in quarters`);
  }
  return value;
}

/** A list of 1 to `max` items, each as `read` returns it. */
export function readList<T>(
  value: unknown,
  field: string,
  max: number,
  read: (item: unknown, field: string) => T,
): T[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > max) {
    throw new ScheduleError(field, `must be a list of 1 to ${max}`);
  }
  return value.map((item: unknown, index) => read(item, `${field}[${index}]`));
}

/** The same, of items that are all different. */
export function readSet<T>(...[value, field, max, read]: Parameters<typeof readList<T>>): T[] {
  const items = readList(value, field, max, read);
  const twice = items.findIndex((item, index) => items.indexOf(item) < index);
  if (twice !== -1) throw new ScheduleError(`${field}[${twice}]`, 'is there twice');
  return items;
}

/** A leap second is none: Temporal would take it, but `Date` does not. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

/** An ISO 8601 instant with `Z` or an offset, returned as it was written. */
export function readInstant(value: unknown, field: string): string {
  if (typeof value !== 'string' || !INSTANT.test(value) || !accepts(() => Temporal.Instant.from(value))) {
    throw new ScheduleError(field, 'must be an instant such as "2026-01-01T06:00:00Z"');
  }
  return value;
}

/** A calendar date `YYYY-MM-DD` that exists, returned as it was written. */
export function readDate(value: unknown, field: string): string {
  const written = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;
  if (written === undefined || !accepts(() => Temporal.PlainDate.from(written))) {
    throw new ScheduleError(field, 'must be a date such as "2026-01-01"');
  }
  return written;
}

/** The name of a time zone that this runtime knows. An offset is refused: it has no clock changes. */
export function readTimeZone(value: unknown, field: string): string {
  if (typeof value !== 'string' || !isTimeZone(value)) {
    throw new ScheduleError(field, 'must be a time zone such as "Europe/Berlin"');
  }
  return value;
}

function isTimeZone(name: string): boolean {
  const named = /^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name);
  return named && accepts(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name));
}

function accepts(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
