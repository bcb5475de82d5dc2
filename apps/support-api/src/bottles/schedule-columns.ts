import type { Schedule, TimedAmount } from '#domain';
import { Problem } from '#platform';

/** The columns of an imported file that decide what kind of schedule a line has. */
const KINDS = {
  times: 'times_of_day',
  every: 'interval',
  anchor: 'interval',
  max_per_day: 'as_needed',
  min_interval: 'as_needed',
} as const;

/** A column: the field of the API, how its cell is read, and how it is written. */
interface Column {
  /** Default: the name of the column. */
  field?: string;
  /** What cannot be read stays text, which the domain refuses by its field. Default: the text. */
  read?: (cell: string) => unknown;
  /** Default: the value. */
  write?: (value: never) => unknown;
}

const COLUMNS: Record<string, Column> = {
  times: { read: (cell) => partsOf(withPoints(withClockTimes(cell))).map(timeOf), write: timesText },
  pills_per_dose: { read: numberOf },
  days_of_week: { read: partsOf, write: listText },
  days_of_month: { read: (cell) => partsOf(cell).map(numberOf), write: listText },
  cycle: { read: cycleOf, write: cycleText },
  every: {},
  anchor: {},
  max_per_day: { read: numberOf },
  min_interval: {},
  doses: { read: numberOf },
  until: {},
  early_window: {},
  late_after: {},
  missed_after: {},
  schedule_time_zone: { field: 'time_zone' },
  effective_from: {},
};

/** The columns of a schedule in a file: the fields of the API, each a text. */
export const SCHEDULE_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/**
 * The schedule of a line as the API takes it, not yet checked; undefined if its cells are empty.
 *
 * @param row the cells that are not empty, by column
 * @throws Problem 400 if nothing says what kind of schedule it is
 */
export function scheduleIn(row: Record<string, string>): object | undefined {
  const given = SCHEDULE_COLUMNS.filter((column) => row[column] !== undefined);
  if (given.length === 0) return undefined;
  const decides = Object.keys(KINDS).find((column) => row[column] !== undefined);
  if (decides === undefined)
    throw Problem.field(given[0]!, 'forbidden_field', `${given[0]} requires times, every or max_per_day`);
  const fields = given.map((column) => {
    const { field = column, read } = COLUMNS[column]!;
    return [field, read ? read(row[column]!) : row[column]];
  });
  return { kind: KINDS[decides as keyof typeof KINDS], ...Object.fromEntries(fields) };
}

/** The cells of a schedule, by column: {@link scheduleIn} reads it from them. */
export function cellsOf(schedule: Schedule): Record<string, unknown> {
  const fields = schedule as unknown as Record<string, never>;
  return Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([column, { field = column, write }]) => {
      const value = fields[field];
      return value === undefined ? [] : [[column, write ? write(value) : value]];
    }),
  );
}

/** The column of a field of a schedule: `schedule_time_zone` for `time_zone`. */
export function columnOf(field: string): string {
  return Object.entries(COLUMNS).find(([, column]) => column.field === field)?.[0] ?? field;
}

/** A decimal comma is one, too. Text that is not a number stays text and fails validation. */
export function numberOf(text: string): number | string {
  return /^-?\d{1,9}([.,]\d{1,9})?$/.test(text) ? Number(text.replace(',', '.')) : text;
}

/** Times as spreadsheets write them: `8:00`, `08:00:00` and `8:00 PM` as `08:00` and `20:00`. */
function withClockTimes(cell: string): string {
  return cell.replaceAll(
    /(?<![\d:])(\d{1,2}):(\d\d)(?::00)?(?![\d:])(?:\s*([ap])\.?m\b\.?)?/gi,
    (text: string, hour: string, minute: string, half: string | undefined) => {
      if (half === undefined) return `${hour.padStart(2, '0')}:${minute}`;
      if (Number(hour) < 1 || Number(hour) > 12) return text;
      const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
      return `${String(hours).padStart(2, '0')}:${minute}`;
    },
  );
}

/** An amount with a decimal comma, `08:00=1,5`, with a point: other commas are between times. */
function withPoints(cell: string): string {
  return cell.replaceAll(/(=\d+),(\d+)(?![\d:])/g, '$1.$2');
}

/** The items of a cell, between spaces, semicolons or commas. */
function partsOf(cell: string): string[] {
  return cell.split(/[\s;,]+/).filter((part) => part !== '');
}

function listText(items: readonly (string | number)[]): string {
  return items.join(' ');
}

/** `08:00`, or with its own amount `08:00=1.5`. */
function timeOf(part: string): unknown {
  const [at, pills, ...rest] = part.split('=');
  if (pills === undefined || rest.length > 0) return part;
  return { at, pills: numberOf(pills) };
}

function timesText(times: readonly (string | TimedAmount)[]): string {
  return listText(times.map((time) => (typeof time === 'string' ? time : `${time.at}=${time.pills}`)));
}

/** `21/7 2026-03-01`: days on, days off, and the first day on. @throws Problem 400 */
function cycleOf(cell: string): unknown {
  const [, days_on, days_off, anchor] = /^(\S+?)\s*\/\s*(\S+)\s+(\S+)$/.exec(cell) ?? [];
  if (days_on === undefined)
    throw Problem.field(
      'cycle',
      'invalid_schedule',
      'cycle must be days on, days off and the first day on, such as "21/7 2026-03-01"',
    );
  return { days_on: numberOf(days_on), days_off: numberOf(days_off!), anchor };
}

function cycleText({ days_on, days_off, anchor }: { days_on: number; days_off: number; anchor: string }) {
  return `${days_on}/${days_off} ${anchor}`;
}
