import type { FileRow } from './csv-parts.js';

/** A file that Excel opens as UTF-8. */
const MARK = '\uFEFF';

/** A cell; what a spreadsheet would take for a formula is text. */
export function csvCell(text: string, delimiter = ','): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /["\r\n]/.test(safe) || safe.includes(delimiter) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The file of tokens: to whom and to what each belongs. */
export function tokensCsv(
  created: readonly { line: number; bottle_id: string; token: string; row: FileRow | undefined }[],
): string {
  const rows = created.map(({ line, bottle_id, token, row }) =>
    [String(line), row?.user_id ?? '', row?.medication ?? '', row?.label ?? '', bottle_id, token].map(
      (cell) => csvCell(cell),
    ),
  );
  return [['line', 'user_id', 'medication', 'label', 'bottle_id', 'token'], ...rows]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');
}

/**
 * A file to fill in, with the delimiter that the reader's spreadsheet expects: where numbers have a decimal comma, it is
 * a semicolon.
 */
export function templateCsv(
  columns: readonly string[],
  examples: readonly Record<string, string>[],
  locale?: string,
): string {
  const delimiter = new Intl.NumberFormat(locale).format(0.5).includes(',') ? ';' : ',';
  const lines = [
    columns,
    ...examples.map((row) => columns.map((column) => csvCell(row[column] ?? '', delimiter))),
  ];
  return MARK + lines.map((cells) => `${cells.join(delimiter)}\r\n`).join('');
}
