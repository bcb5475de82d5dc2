/** A column's heading; a number's column is set to the right. */
export interface Column {
  title: string;
  right?: boolean;
}

/** A Markdown table with its columns aligned, as oxfmt writes it. */
export function table(columns: Column[], rows: string[][]): string {
  const widths = columns.map(({ title, right }, index) =>
    Math.max(right ? 4 : 3, title.length, ...rows.map((row) => row[index]!.length)),
  );
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, index) => (columns[index]!.right ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!))).join(' | ')} |`;
  const rule = columns.map(({ right }, index) =>
    right ? `${'-'.repeat(widths[index]! - 1)}:` : '-'.repeat(widths[index]!),
  );
  return [line(columns.map(({ title }) => title)), line(rule), ...rows.map(line)].join('\n');
}

export const text = (title: string): Column => ({ title });
export const number = (title: string): Column => ({ title, right: true });
