import { Problem } from '#platform';
import { cellsOf, columnOf, numberOf, SCHEDULE_COLUMNS, scheduleIn } from './schedule-columns.js';
import type { BottlePlanDto } from './plans.dto.js';

/** The columns that a file must have. */
export const NEEDED = ['user_id', 'medication', 'time_zone'] as const;

/** The columns of a file of bottles, in the order of the export. `step` counts the lines of a plan of several steps. */
export const FILE_COLUMNS: readonly string[] = [
  ...NEEDED,
  'label',
  'number_of_pills',
  'plan_of',
  'step',
  ...SCHEDULE_COLUMNS,
];

/** A line of the file, starting with 1. */
export interface Line {
  line: number;
  cells: string[];
}

type Row = Record<string, string>;

/** The lines of each bottle: a line with a `step` other than 1 is a further step of the bottle before it. */
export function groupSteps(names: readonly string[], lines: readonly Line[]): Line[][] {
  const column = names.indexOf('step');
  const bottles: Line[][] = [];
  for (const line of lines) {
    const step = line.cells[column] ?? '';
    const before = bottles.at(-1);
    if (before && step !== '' && step !== '1') before.push(line);
    else bottles.push([line]);
  }
  return bottles;
}

/**
 * The bottle of some lines as the API takes it, not yet checked.
 *
 * @throws Problem 400 naming a field; {@link inFile} says where in the file it is
 */
export function bottleIn(names: readonly string[], lines: readonly Line[]): object {
  const rows = lines.map(({ cells }, index) => rowOf(names, cells, index));
  const [first, ...others] = rows;
  if ((first!['step'] ?? '1') !== '1')
    throw Problem.field('step', 'invalid_value', 'step must be 1 in the first line of a bottle');
  for (const [index, row] of others.entries()) checkStep(row, first!, index + 1);
  const steps = rows.map((row, index) => ofStep(index, () => scheduleIn(row)));
  const { number_of_pills, user_id, medication, label, time_zone, plan_of } = first!;
  return {
    user_id,
    medication,
    ...(label !== undefined && { label }),
    time_zone,
    ...(number_of_pills !== undefined && { number_of_pills: numberOf(number_of_pills) }),
    ...(plan_of !== undefined && { plan_of }),
    ...(others.length > 0 ? { steps } : steps[0] && { schedule: steps[0] }),
  };
}

/** The cells that are not empty, by column. */
function rowOf(names: readonly string[], cells: readonly string[], index: number): Row {
  if (cells.length !== names.length) {
    const message = `the line has ${cells.length} fields; the first line has ${names.length}`;
    throw Problem.field(`steps[${index}]`, 'invalid_csv', message);
  }
  const given = names.map((name, place) => [name, cells[place]!] as const);
  return Object.fromEntries(given.filter(([, text]) => text !== ''));
}

/** A further step is of the same bottle: its other cells are empty, or say the same. */
function checkStep(row: Row, first: Row, index: number): void {
  const fail = (column: string, problem: string): never => {
    throw Problem.field(`steps[${index}].${column}`, 'invalid_value', `${column} ${problem}`);
  };
  if (row['step'] !== String(index + 1)) fail('step', `must be ${index + 1}, after the line before`);
  for (const column of [...NEEDED, 'label', 'number_of_pills', 'plan_of'])
    if (row[column] !== undefined && row[column] !== first[column])
      fail(column, 'must be that of step 1, or empty');
  if (!SCHEDULE_COLUMNS.some((column) => row[column] !== undefined)) fail('step', 'has no schedule');
}

function ofStep<T>(index: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error;
    const [{ field, code, message }] = error.errors as [{ field: string; code: string; message: string }];
    throw Problem.field(`steps[${index}].${field}`, code, message);
  }
}

/** Where a field of the API is in the file: `times` of its line for `steps[1].times[0].pills`. */
function placeOf(field: string, lines: readonly Line[]): { line: number; field: string } {
  const found = /^(?:schedule|steps)(?:\[(\d+)\])?(?:\.(\w+))?/.exec(field);
  if (!found) return { line: lines[0]!.line, field };
  const [, step = '0', ofSchedule] = found;
  return { line: lines[Number(step)]!.line, field: ofSchedule === undefined ? '' : columnOf(ofSchedule) };
}

/** What is wrong with a bottle, by line and column: whoever wrote the file knows no field of the API. */
export function inFile(
  error: { field: string; code: string; message: string },
  lines: readonly Line[],
): { line: number; field: string; code: string; message: string } {
  const place = placeOf(error.field, lines);
  const isNamed = place.field !== '' && error.message.startsWith(error.field);
  const message = isNamed ? `${place.field}${error.message.slice(error.field.length)}` : error.message;
  return { ...error, ...place, message };
}

/** The rows of a bottle in an exported file, which the import takes as they are. */
export function rowsOf({ steps, number_of_pills, ...bottle }: BottlePlanDto): object[] {
  const rows = steps.map((schedule, index) => ({
    ...bottle,
    ...(index === 0 && { number_of_pills }),
    ...(steps.length > 1 && { step: index + 1 }),
    ...cellsOf(schedule),
  }));
  return rows.length > 0 ? rows : [{ ...bottle, number_of_pills }];
}
