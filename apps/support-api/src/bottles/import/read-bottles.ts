import { checkBody, type FieldError, Problem } from '#platform';
import { CsvError, parse } from 'csv-parse/sync';
import { RegisterBottleDto } from '../bottle-requests.dto.js';

/** What one request registers at most: seconds of work, and a file that one can look through. */
const MAX_BOTTLES = 2_000;
/** More are not listed: who sees so many has sent another file than they meant. */
const MAX_ERRORS = 200;

const NEEDED = ['user_id', 'medication', 'time_zone'] as const;
const COLUMNS = [...NEEDED, 'number_of_pills', 'times', 'pills_per_dose'] as const;
type Column = (typeof COLUMNS)[number];

/** A line of the file, the first has the number 1, and what it registers. */
export interface BottleLine<T> {
  line: number;
  bottle: T;
}

type Errors = FieldError[];
type Row = Partial<Record<Column, string>>;

/**
 * Reads bottles out of CSV (RFC 4180), the first line names the columns. Commas, semicolons or tabs, as the first
 * line has them; what a spreadsheet leaves at the ends, an order mark and empty lines, is passed over.
 *
 * @param make what becomes of a line that has the right form. @throws Problem 400 for what is wrong with it all the same
 * @throws Problem 400 `invalid_csv`, with every error's line and column
 */
export function readBottles<T>(csv: string, make: (body: RegisterBottleDto) => T): BottleLine<T>[] {
  const [head, ...rows] = recordsOf(csv);
  if (!head) throw refusal([at(1, '', 'missing_field', 'there is nothing in it')]);
  const errors = headErrors(head.cells);
  if (errors.length > 0) throw refusal(errors);
  if (rows.length === 0) {
    throw refusal([
      at(head.line + 1, '', 'missing_field', 'there is no bottle in it, only the names of the columns'),
    ]);
  }
  if (rows.length > MAX_BOTTLES) {
    const message = `it has ${rows.length} bottles; send at most ${MAX_BOTTLES} at once`;
    throw refusal([at(rows[MAX_BOTTLES]!.line, '', 'too_many_items', message)]);
  }
  const bottles: BottleLine<T>[] = [];
  for (const { line, cells } of rows) {
    try {
      bottles.push({ line, bottle: make(bodyOf(head.cells, cells)) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      errors.push(...(error.errors ?? []).map((each) => ({ ...each, field: columnOf(each.field), line })));
    }
  }
  if (errors.length > 0) throw refusal(errors);
  return bottles;
}

interface CsvRecord {
  line: number;
  cells: string[];
}

function recordsOf(csv: string): CsvRecord[] {
  try {
    const records = parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal([
      at(Number(error['lines'] ?? 1), '', 'invalid_csv', 'a quotation mark is not where it should be'),
    ]);
  }
}

/** What separates the names of the columns; none of these is part of a name. */
function delimiterOf(csv: string): string {
  return /[,;\t]/.exec(csv.split(/\r?\n/, 1)[0]!)?.[0] ?? ',';
}

function headErrors(names: string[]): Errors {
  const known: readonly string[] = COLUMNS;
  return [
    ...names
      .filter((name) => !known.includes(name))
      .map((name) => at(1, name, 'unknown_field', `“${name}” is no column; there are ${COLUMNS.join(', ')}`)),
    ...names
      .filter((name, index) => known.includes(name) && names.indexOf(name) < index)
      .map((name) => at(1, name, 'invalid_value', `the column ${name} is there twice`)),
    ...NEEDED.filter((name) => !names.includes(name)).map((name) =>
      at(1, name, 'missing_field', `the column ${name} is missing`),
    ),
  ];
}

/** @throws Problem 400 */
function bodyOf(names: string[], cells: string[]): RegisterBottleDto {
  if (cells.length !== names.length) {
    const message = `it has ${cells.length} fields; the first line has ${names.length}`;
    throw Problem.field('', 'invalid_csv', message);
  }
  const row: Row = Object.fromEntries(
    names.map((name, index) => [name, cells[index]]).filter(([, text]) => text !== ''),
  );
  const { number_of_pills, times, pills_per_dose, ...texts } = row;
  if (pills_per_dose !== undefined && times === undefined) {
    throw Problem.field('pills_per_dose', 'forbidden_field', 'pills_per_dose goes with times only');
  }
  return checkBody(RegisterBottleDto, {
    ...texts,
    ...(number_of_pills === undefined ? {} : { number_of_pills: numberOf(number_of_pills) }),
    ...(times === undefined ? {} : { schedule: scheduleOf(times, pills_per_dose) }),
  });
}

function scheduleOf(times: string, pillsPerDose: string | undefined): object {
  return {
    kind: 'times_of_day',
    times: times.split(/\s+/),
    ...(pillsPerDose === undefined ? {} : { pills_per_dose: numberOf(pillsPerDose) }),
  };
}

/** What is no number stays text, and is refused as such. */
function numberOf(text: string): number | string {
  return /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
}

/** `schedule.times[0]` is in the column `times`. */
function columnOf(field: string): string {
  return field.replace(/^schedule\./, '').replace(/\[\d+\]$/, '');
}

function at(line: number, field: string, code: string, message: string): FieldError {
  return { line, field, code, message };
}

function refusal(errors: Errors): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return new Problem(
    400,
    'invalid_csv',
    `No bottle was registered. Line ${first!.line}: ${first!.message}${more}.`,
    errors.slice(0, MAX_ERRORS),
  );
}
