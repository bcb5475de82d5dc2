import type { Chart } from '../../api/schema.js';
import type { Meaning } from '../Mark.js';
import { t } from '../../i18n/i18n.js';

/**
 * The chosen lines of a chart in this order, without the time before the first value.
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
