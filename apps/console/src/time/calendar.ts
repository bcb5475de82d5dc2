import { DAY_MS } from './durations.js';
import { localDay, localTime } from './format.js';

/** A calendar month as `2026-03`. */
export type Month = string;

export function monthOf(at: number, zone: string): Month {
  return localDay(at, zone).slice(0, 7);
}

export function addMonths(month: Month, months: number): Month {
  const [year, number] = numbers(month);
  const date = new Date(Date.UTC(year, number - 1 + months, 1));
  return date.toISOString().slice(0, 7);
}

/** The weeks of a month from Monday, as days such as `2026-03-02`; undefined for days of other months. */
export function weeksOf(month: Month): (string | undefined)[][] {
  const [year, number] = numbers(month);
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const cells = [
    ...Array.from({ length: before }, () => undefined),
    ...Array.from({ length: days }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`),
  ];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    cells.slice(week * 7, week * 7 + 7),
  );
  return weeks.map((week) => [...week, ...Array.from({ length: 7 - week.length }, () => undefined)]);
}

function numbers(month: Month): [year: number, month: number] {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return [year, number];
}

/**
 * The instant at which clocks in a zone show this date and time. In a gap (clocks go forward) it is the time after the
 * gap, in an overlap the first of the two, as in the schedules of doses.
 *
 * @param local `2026-03-02T08:00`.
 * @returns epoch milliseconds; NaN if `local` is invalid.
 */
export function instantOf(local: string, zone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  const before = offsetAt(asUtc - DAY_MS, zone);
  const after = offsetAt(asUtc + DAY_MS, zone);
  const candidates = [asUtc - before, asUtc - after].filter((at) => at + offsetAt(at, zone) === asUtc);
  return candidates.length > 0 ? Math.min(...candidates) : asUtc - before;
}

/** {@link instantOf} in ISO 8601; an invalid time is returned unchanged, for the server to reject. */
export function toIso(local: string, zone: string): string {
  const at = instantOf(local, zone);
  return Number.isNaN(at) ? local : new Date(at).toISOString();
}

/** The local time at an instant in the format of `datetime-local` inputs: `2026-03-02T08:00`. */
export function localInput(at: number, zone: string): string {
  return localTime(at, zone).slice(0, 16);
}

const QUARTER_MS = 91 * DAY_MS;

/** Whether clocks in both zones show the same time throughout the year from an instant on. */
export function showSameTime(zone: string, other: string, at: number): boolean {
  const quarters = [0, 1, 2, 3].map((index) => at + index * QUARTER_MS);
  return quarters.every((time) => offsetAt(time, zone) === offsetAt(time, other));
}

/** How far a zone is ahead of UTC at an instant. Milliseconds. */
function offsetAt(at: number, zone: string): number {
  return Date.parse(`${localTime(at, zone)}Z`) - Math.floor(at / 1_000) * 1_000;
}
