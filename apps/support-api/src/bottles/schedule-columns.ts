import { Problem } from '#platform';

/** The columns of an imported file that decide what kind of schedule a line has. */
const KINDS = {
  times: 'times_of_day',
  every: 'interval',
  anchor: 'interval',
  max_per_day: 'as_needed',
  min_interval: 'as_needed',
} as const;

const ZONE = 'schedule_time_zone';

/** How a cell is read, by column. What cannot be read stays text, which the domain refuses by its field. */
const CELLS: Record<string, (cell: string) => unknown> = {
  times: (cell) => partsOf(cell).map(timeOf),
  pills_per_dose: numberOf,
  days_of_week: partsOf,
  days_of_month: (cell) => partsOf(cell).map(numberOf),
  cycle: cycleOf,
  every: textOf,
  anchor: textOf,
  max_per_day: numberOf,
  min_interval: textOf,
  doses: numberOf,
  until: textOf,
  early_window: textOf,
  late_after: textOf,
  missed_after: textOf,
  [ZONE]: textOf,
  effective_from: textOf,
};

/** The columns of a schedule in an imported file: the fields of the API, each a text. */
export const SCHEDULE_COLUMNS: readonly string[] = Object.keys(CELLS);

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
  const fields = given.map((column) => [
    column === ZONE ? 'time_zone' : column,
    CELLS[column]!(row[column]!),
  ]);
  return { kind: KINDS[decides as keyof typeof KINDS], ...Object.fromEntries(fields) };
}

/** The column of a field of the API: `times` for `schedule.times[0].pills`. */
export function columnOf(field: string): string {
  const [, ofSchedule] = /^schedule\.(\w+)/.exec(field) ?? [];
  if (ofSchedule === undefined) return field;
  return ofSchedule === 'time_zone' ? ZONE : ofSchedule;
}

/** Text that is not a number stays text and fails validation. */
export function numberOf(text: string): number | string {
  return /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
}

/** The items of a cell, between spaces, semicolons or commas. */
function partsOf(cell: string): string[] {
  return cell.split(/[\s;,]+/).filter((part) => part !== '');
}

/** `08:00`, or with its own amount `08:00=1.5`. */
function timeOf(part: string): unknown {
  const [at, pills, ...rest] = part.split('=');
  if (pills === undefined || rest.length > 0) return part;
  return { at, pills: numberOf(pills) };
}

/** `21/7 2026-03-01`: days on, days off, and the first day on. */
function cycleOf(cell: string): unknown {
  const [, days_on, days_off, anchor] = /^(\S+?)\s*\/\s*(\S+)\s+(\S+)$/.exec(cell) ?? [];
  if (days_on === undefined) return cell;
  return { days_on: numberOf(days_on), days_off: numberOf(days_off!), anchor };
}

function textOf(cell: string): string {
  return cell;
}
