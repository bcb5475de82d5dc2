import type { Chart } from '../../api/schema.js';
import type { Meaning } from '../Mark.js';
import { t } from '../../i18n/i18n.js';

/**
 * The chosen lines of a chart in this order.
 *
 * @param labels replace those of the API.
 */
export function selectLines(
  data: Chart,
  lines: readonly string[] | undefined,
  labels: Record<string, Pick<Meaning, 'label'>> = {},
): Chart {
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
    columns,
  };
}

/** The row of the first value; -1 without any. */
const firstRow = ([times = [], ...values]: Chart['columns']): number =>
  times.findIndex((_, row) => values.some((column) => (column[row] ?? null) !== null));

/** When the first point with a value begins. Epoch seconds. */
export const firstTime = ({ columns }: Chart): number | undefined =>
  columns[0]?.[firstRow(columns)] ?? undefined;

/** Without the points before the first value, except one. */
export function trimStart(data: Chart): Chart {
  const from = Math.max(0, firstRow(data.columns) - 1);
  return { ...data, columns: data.columns.map((column) => column.slice(from)) };
}

/** Whether values are sums: a point that is not over, or not counted to its end, has too few. */
export const isSum = (unit: string, band: boolean): boolean =>
  !band && (unit === 'count' || unit === 'pills');

/** The first row that may still grow; the number of rows if there is none. */
export function firstUnfinished({ columns: [times = []], complete_until }: Chart): number {
  const until = Date.parse(complete_until) / 1_000;
  const row = times.findIndex((at) => at! >= until);
  return row === -1 ? times.length : row;
}

/** The newest row that is finished and has a value in any line: what the legend shows. */
export function lastRow(data: Chart): number | undefined {
  const until = firstUnfinished(data);
  const values = data.columns.slice(1);
  for (let row = until - 1; row >= 0; row -= 1)
    if (values.some((column) => (column[row] ?? null) !== null)) return row;
  return undefined;
}

/**
 * What is drawn: the times, of each line its finished points, and then of each its unfinished ones, which no line joins: a
 * minute of which a part is counted looks like a collapse otherwise.
 */
export function drawnColumns(data: Chart, band: boolean): (number | null)[][] {
  const [times = [], ...values] = data.columns;
  const until = firstUnfinished(data);
  const isOpen = (index: number): boolean => isSum(data.series[index]!.unit, band);
  return [
    times,
    ...values.map((column, index) =>
      column.map((value, row) => (isOpen(index) && row >= until ? null : value)),
    ),
    ...values.map((column, index) =>
      column.map((value, row) => (isOpen(index) && row >= until ? value : null)),
    ),
  ];
}

export function hasValues({ columns }: Chart): boolean {
  return columns.slice(1).some((column) => column.some((value) => value !== null));
}

const INTERVALS: Record<string, (count: number) => string> = {
  s: (count) => t('{{count}}-second intervals', { count }),
  m: (count) => t('{{count}}-minute intervals', { count }),
  h: (count) => t('{{count}}-hour intervals', { count }),
  d: (count) => t('{{count}}-day intervals', { count }),
};

/** A unit in the page's language. */
export function unitText(unit: string): string {
  if (unit === 'pills') return t('pills');
  return unit === 'count' ? t('count') : unit;
}

/** The interval of the points, for counts: they depend on it. */
export function intervalText({ step, series }: Pick<Chart, 'step' | 'series'>): string {
  if (!series.some(({ unit }) => unit === 'count' || unit === 'pills')) return '';
  return INTERVALS[step.slice(-1)]?.(Number.parseInt(step, 10)) ?? '';
}

/** A text alternative for a chart: the first, last, smallest and largest value of each line. */
export function chartText(title: string, { columns, series }: Chart): string {
  const lines = series.map(({ label, unit }, index) => {
    const values = (columns[index + 1] ?? []).filter((value) => value !== null);
    if (values.length === 0) return t('{{label}}: no data', { label });
    return t('{{label}}: from {{first}} to {{last}} {{unit}}, minimum {{least}}, maximum {{most}}', {
      label,
      first: values[0],
      last: values.at(-1),
      unit: unitText(unit),
      least: Math.min(...values),
      most: Math.max(...values),
    });
  });
  return `${title}. ${lines.join('. ')}.`;
}
