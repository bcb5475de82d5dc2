import type { ChartData } from '../../api/types.js';
import type { Meaning } from '../Mark.js';

/**
 * The chosen lines of a chart in this order, without the time before the first value.
 *
 * @param labels replace those of the API.
 */
export function selectLines(
  data: ChartData,
  lines: readonly string[] | undefined,
  labels: Record<string, Pick<Meaning, 'label'>> = {},
): ChartData {
  const keys = lines ?? data.series.map(({ key }) => key);
  const places = keys
    .map((key) => data.series.findIndex((series) => series.key === key))
    .filter((place) => place >= 0);
  const columns = [data.columns[0] ?? [], ...places.map((place) => data.columns[place + 1] ?? [])];
  return {
    ...data,
    series: places.map((place) => {
      const series = data.series[place]!;
      return { ...series, label: labels[series.key]?.label ?? series.label };
    }),
    columns: trimStart(columns),
  };
}

/** Removes the points before the first value, except one. */
function trimStart([times = [], ...values]: (number | null)[][]): (number | null)[][] {
  const first = times.findIndex((_, row) =>
    values.some((column) => column[row] !== null && column[row] !== undefined),
  );
  const from = Math.max(0, first - 1);
  return [times, ...values].map((column) => column.slice(from));
}

export function hasValues({ columns }: ChartData): boolean {
  return columns.slice(1).some((column) => column.some((value) => value !== null));
}

const UNITS: Record<string, string> = { s: 'second', m: 'minute', h: 'hour' };

/** The interval of the points, for counts: they depend on it. */
export function intervalText({ step, series }: Pick<ChartData, 'step' | 'series'>): string {
  if (!series.some(({ unit }) => unit === 'count' || unit === 'pills')) return '';
  const [count, unit] = [Number.parseInt(step, 10), step.slice(-1)];
  return `${count}-${UNITS[unit] ?? 'day'} intervals`;
}

/** A text alternative for a chart: the first, last, smallest and largest value of each line. */
export function chartText(title: string, { columns, series }: ChartData): string {
  const lines = series.map(({ label, unit }, index) => {
    const values = (columns[index + 1] ?? []).filter((value) => value !== null);
    if (values.length === 0) return `${label}: no data`;
    const [first, last] = [values[0], values.at(-1)];
    return `${label}: from ${first} to ${last} ${unit}, minimum ${Math.min(...values)}, maximum ${Math.max(...values)}`;
  });
  return `${title}. ${lines.join('. ')}.`;
}
