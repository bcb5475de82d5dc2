import type { Difference } from '#timeseries';

const MOST_LINES = 500;

/** What differs, a line each under a line of headings, the finest tiers first. */
export function tableOf(differing: readonly Difference[]): string[] {
  const rows = differing
    .slice(0, MOST_LINES)
    .map(({ tier, bucket, kind, counted, logged }) => [
      tier,
      bucket.toISOString().slice(0, 16),
      kind,
      String(counted),
      String(logged),
    ]);
  const all = [['tier', 'bucket (UTC)', 'kind', 'counted', 'in the log'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  '),
  );
  const left = differing.length - rows.length;
  return left > 0 ? [...lines, `and ${left} more`] : lines;
}
