import type { ChartData } from '../../api/types.js';

/** Some lines of a chart, in this order, without what lies before anything is known. */
export function picked(data: ChartData, lines: readonly string[] | undefined): ChartData {
  const keys = lines ?? data.series.map(({ key }) => key);
  const places = keys
    .map((key) => data.series.findIndex((series) => series.key === key))
    .filter((place) => place >= 0);
  const columns = [data.columns[0] ?? [], ...places.map((place) => data.columns[place + 1] ?? [])];
  return {
    ...data,
    series: places.map((place) => data.series[place]!),
    columns: withoutBeginning(columns),
  };
}

/** A long range may begin long before anything was: of that time one point is left. */
function withoutBeginning([times = [], ...values]: (number | null)[][]): (number | null)[][] {
  const first = times.findIndex((_, row) =>
    values.some((column) => column[row] !== null && column[row] !== undefined),
  );
  const from = Math.max(0, first - 1);
  return [times, ...values].map((column) => column.slice(from));
}

export function isKnown({ columns }: ChartData): boolean {
  return columns.slice(1).some((column) => column.some((value) => value !== null));
}

const UNITS: Record<string, string> = { s: 's', m: 'min', h: 'h' };

/** What a point stands for, where it makes a difference: a count is one of a time. */
export function stepWords({ step, series }: Pick<ChartData, 'step' | 'series'>): string {
  if (!series.some(({ unit }) => unit === 'count' || unit === 'pills')) return '';
  const [count, unit] = [Number.parseInt(step, 10), step.slice(-1)];
  return `a point is ${count} ${UNITS[unit] ?? (count === 1 ? 'day' : 'days')}`;
}

/** What a chart shows, for who does not see it: how each line began, ended, and its extremes. */
export function inWords(title: string, { columns, series }: ChartData): string {
  const lines = series.map(({ label, unit }, index) => {
    const values = (columns[index + 1] ?? []).filter((value) => value !== null);
    if (values.length === 0) return `${label}: nothing measured`;
    const [first, last] = [values[0], values.at(-1)];
    return `${label}: from ${first} to ${last} ${unit}, least ${Math.min(...values)}, most ${Math.max(...values)}`;
  });
  return `${title}. ${lines.join('. ')}.`;
}
