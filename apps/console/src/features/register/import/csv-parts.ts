/** Lines of a file that are sent in one request, below the header. */
export interface Part {
  /** The header and the lines. */
  csv: string;
  /** The line of the file that stands first in the part, starting with 1. */
  firstLine: number;
  lastLine: number;
  /** How many lines the header takes. */
  headLines: number;
  bottles: number;
}

/** Few enough that a part takes about a second. */
const RECORDS_PER_PART = 500;

/**
 * Cuts a CSV file into parts that each have its header; a quoted field with line breaks stays whole, and so do the steps
 * of a bottle.
 *
 * @param most after how many records that are not empty a part ends with the next bottle
 */
export function cutCsv(text: string, most = RECORDS_PER_PART): Part[] {
  const [head = '', ...records] = recordsOf(text);
  const isStep = stepsBy(head);
  const headLines = linesIn(head);
  const parts: Part[] = [];
  let line = headLines + 1;
  let lines: string[] = [];
  let bottles = 0;
  let filled = 0;
  const end = (): void => {
    if (bottles === 0 && parts.length > 0) return;
    const csv = head + lines.join('');
    parts.push({ csv, firstLine: line - linesIn(lines.join('')), lastLine: line - 1, headLines, bottles });
    [lines, bottles, filled] = [[], 0, 0];
  };
  for (const record of records) {
    // the server ignores empty lines
    const isEmpty = !/[^\s,;"]/.test(record);
    const begins = !isEmpty && !isStep(record);
    if (begins && filled >= most) end();
    lines.push(record);
    line += linesIn(record);
    if (!isEmpty) filled += 1;
    if (begins) bottles += 1;
  }
  end();
  return parts;
}

/** What a file says of the bottle in a line. */
export interface FileRow {
  user_id: string;
  medication: string;
  label: string;
}

/** By the lines of the file, starting with 1, in which a record begins. */
export function rowsByLine(text: string): Map<number, FileRow> {
  const [head = '', ...records] = recordsOf(text);
  const delimiter = delimiterOf(head);
  const columns = fieldsOf(head.replace(/^\uFEFF/, ''), delimiter);
  const rows = new Map<number, FileRow>();
  let line = linesIn(head) + 1;
  for (const record of records) {
    const fields = fieldsOf(record, delimiter);
    const cell = (name: string): string => fields[columns.indexOf(name)] ?? '';
    rows.set(line, { user_id: cell('user_id'), medication: cell('medication'), label: cell('label') });
    line += linesIn(record);
  }
  return rows;
}

export const delimiterOf = (head: string): string => /[,;\t]/.exec(head)?.[0] ?? ',';

/** Whether a record is a further step of the bottle before it, by the column `step`. */
function stepsBy(head: string): (record: string) => boolean {
  const delimiter = delimiterOf(head);
  const column = fieldsOf(head, delimiter).indexOf('step');
  return (record) => !['', '1'].includes(fieldsOf(record, delimiter)[column] ?? '');
}

/** The fields of a record, without quotation marks around them. */
export function fieldsOf(record: string, delimiter: string): string[] {
  const fields = [''];
  let isQuoted = false;
  for (const [at, character] of [...record].entries()) {
    // two within quotation marks are one
    if (character === '"' && !isQuoted && record[at - 1] === '"' && fields.at(-1) !== '')
      fields[fields.length - 1] += '"';
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) fields.push('');
    else fields[fields.length - 1] += character;
  }
  return fields.map((field) => field.trim());
}

/** The line of the file for a line of a part. */
export function lineInFile({ firstLine, headLines }: Part, line: number): number {
  return line <= headLines ? line : firstLine + line - headLines - 1;
}

/** The records with their line ends. */
export function recordsOf(text: string): string[] {
  const records: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\n' && !isQuoted) {
      records.push(text.slice(from, at + 1));
      from = at + 1;
    }
  }
  if (from < text.length) records.push(text.slice(from));
  return records;
}

/** How many lines a text with its last line end takes. */
export function linesIn(text: string): number {
  const ends = text.split('\n').length - 1;
  return text === '' || text.endsWith('\n') ? ends : ends + 1;
}
