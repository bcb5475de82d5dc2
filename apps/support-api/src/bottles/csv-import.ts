import { checkBody, type FieldError, Problem } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CsvError, parse } from 'csv-parse/sync';
import type { FastifyRequest } from 'fastify';
import { withoutEscape } from '../http/list.js';
import { RegisterBottleDto } from './bottle.dto.js';
import { bottleIn, FILE_COLUMNS, groupSteps, inFile, type Line, NEEDED } from './csv-bottle.js';

const PATHS = ['/v1/bottles/import', '/v1/bottles/import/check'];
const MAX_BYTES = 1024 * 1024;

/** Lets the routes of imports, and no other, take CSV. */
export function acceptCsv(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addContentTypeParser(
    'text/csv',
    { parseAs: 'string', bodyLimit: MAX_BYTES },
    async (request: FastifyRequest, body: string) => {
      if (PATHS.includes(request.url)) return body;
      throw new Problem(415, 'unsupported_media_type', 'Send JSON, with content-type: application/json.');
    },
  );
}

/** The raw body. A decorator of our own, because the validation pipe would look for a DTO. */
export const CsvBody = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (typeof body === 'string') return body;
  throw new Problem(400, 'invalid_csv', 'Send the bottles as CSV, with content-type: text/csv.');
});

/** Lines of bottles per request: a few seconds of work, and a file that a person can check. */
const MAX_LINES = 2_000;
/** Errors per response: with more of them, it is the wrong file. */
const MAX_ERRORS = 200;
/** Columns of a file: more than there are, so that a wrong name is named, and too few to cost time. */
const MAX_COLUMNS = 30;

/** The first line of a bottle in the file, starting with 1, and the bottle it registers. */
interface BottleLine<T> {
  line: number;
  bottle: T;
}

type Errors = FieldError[];

/**
 * Reads bottles from CSV (RFC 4180); the first line names the columns. The first line determines the delimiter: comma,
 * semicolon or tab. A byte order mark and empty lines are ignored. A line that is not in UTF-8 is refused.
 *
 * @param make builds a bottle from a well-formed line, one after the other. @throws Problem 400 if the line is invalid
 *   nevertheless
 * @throws Problem 400 `invalid_csv` with the line and column of every error
 */
export async function readBottles<T>(
  csv: string,
  make: (body: RegisterBottleDto) => Promise<T>,
): Promise<BottleLine<T>[]> {
  // before anything is parsed; names in quotation marks are looked at afterwards
  const names = firstLineOf(csv).split(delimiterOf(csv), MAX_COLUMNS + 1);
  if (names.length > MAX_COLUMNS) throw refusal([tooManyColumns()]);
  const unreadable = notInUtf8(csv);
  if (unreadable.length > 0) throw refusal(unreadable);
  const [head] = recordsOf(csv, 1);
  if (!head) throw refusal([at(1, '', 'missing_field', 'the file is empty')]);
  const errors = headErrors(head.cells);
  if (errors.length > 0) throw refusal(errors);
  // one more than there may be, and the first line
  const [, ...rows] = recordsOf(csv, MAX_LINES + 2);
  if (rows.length === 0) {
    throw refusal([
      at(head.line + 1, '', 'missing_field', 'the file contains column names only, no bottles'),
    ]);
  }
  if (rows.length > MAX_LINES) {
    const message = `the file has more than ${MAX_LINES} lines of bottles; send at most ${MAX_LINES} at a time`;
    throw refusal([at(rows[MAX_LINES]!.line, '', 'too_many_items', message)]);
  }
  const bottles: BottleLine<T>[] = [];
  for (const lines of groupSteps(head.cells, rows)) {
    if (errors.length >= MAX_ERRORS) break;
    try {
      const bottle = await make(checkBody(RegisterBottleDto, bottleIn(head.cells, lines)));
      bottles.push({ line: lines[0]!.line, bottle });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      errors.push(...(error.errors ?? []).map((each) => inFile(each, lines)));
    }
  }
  if (errors.length > 0) throw refusal(errors);
  return bottles;
}

/** In the place of each byte that is not UTF-8, as of a file in Windows-1252, there is this character. */
const REPLACEMENT = '\uFFFD';

function notInUtf8(csv: string): Errors {
  const errors: Errors = [];
  if (!csv.includes(REPLACEMENT)) return errors;
  for (const [index, text] of csv.split('\n').entries()) {
    if (errors.length >= MAX_ERRORS) break;
    if (text.includes(REPLACEMENT))
      errors.push(at(index + 1, '', 'invalid_csv', 'not in UTF-8; in Excel, save the file as "CSV UTF-8"'));
  }
  return errors;
}

/** The first records of the file. What follows is not looked at. */
function recordsOf(csv: string, count: number): Line[] {
  try {
    const records = parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      to: count,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ line: info.lines, cells: record.map(withoutEscape) }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal([at(Number(error['lines'] ?? 1), '', 'invalid_csv', 'misplaced quotation mark')]);
  }
}

/** The delimiter of the column names; none of these characters is part of a name. */
function delimiterOf(csv: string): string {
  return /[,;\t]/.exec(firstLineOf(csv))?.[0] ?? ',';
}

const firstLineOf = (csv: string): string => csv.split(/\r?\n/, 1)[0]!;

const tooManyColumns = (): FieldError =>
  at(1, '', 'too_many_items', `the first line has more than ${MAX_COLUMNS} columns`);

function headErrors(names: string[]): Errors {
  if (names.length > MAX_COLUMNS) return [tooManyColumns()];
  const known = new Set(FILE_COLUMNS);
  const given = new Set<string>();
  const errors: Errors = [];
  for (const name of names) {
    if (!known.has(name)) {
      const message = `“${name}” is not a column; the columns are ${FILE_COLUMNS.join(', ')}`;
      errors.push(at(1, name, 'unknown_field', message));
    } else if (given.has(name)) errors.push(at(1, name, 'invalid_value', `the column ${name} occurs twice`));
    given.add(name);
  }
  const missing = NEEDED.filter((name) => !given.has(name));
  return [...errors, ...missing.map((name) => at(1, name, 'missing_field', `the column ${name} is missing`))];
}

function at(line: number, field: string, code: string, message: string): FieldError {
  return { line, field, code, message };
}

function refusal(errors: Errors): Problem {
  const [first] = errors;
  const count = `${errors.length >= MAX_ERRORS ? 'at least ' : ''}${Math.min(errors.length, MAX_ERRORS) - 1}`;
  const more = errors.length > 1 ? `, and ${count} more` : '';
  return new Problem(
    400,
    'invalid_csv',
    `No bottles were registered. Line ${first!.line}: ${first!.message}${more}.`,
    errors.slice(0, MAX_ERRORS),
  );
}
