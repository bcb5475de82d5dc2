import type { Chart } from '../../api/schema.js';
import { useNow } from '../../time/clock.js';
import { dayAndTime } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';
import classes from './Chart.module.css';
import { firstUnfinished, isSum, lastRow, unitText } from './data.js';
import { t, numberText } from '../../i18n/i18n.js';

interface ChartLegendProps {
  title: string;
  data: Chart;
  /** Names of CSS variables, one per line. */
  colours: readonly string[];
  /** The second and third lines are the bounds of the first. */
  band: boolean;
  /** The row under the cursor; null: none. */
  row: number | null;
}

/** One line: the lines of a chart with their values under the cursor, or else the last that are finished. */
export function ChartLegend({ title, data, colours, band, row }: ChartLegendProps) {
  const zone = useZone();
  const present = useNow();
  const [times = [], ...columns] = data.columns;
  const shown = row ?? lastRow(data);
  const at = shown === undefined ? undefined : times[shown];
  const isUnfinished = shown !== undefined && shown >= firstUnfinished(data);
  const lines = data.series
    .map((series, index) => ({
      ...series,
      index,
      value: shown === undefined ? null : columns[index]?.[shown],
    }))
    // of many, those that have anything
    .filter(({ index }) => !(band && index > 0) && (columns.length <= 4 || columns[index]!.some(Boolean)));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <ul className={classes['legend']} aria-label={t('{{title}}: values', { title })} tabIndex={0}>
      {at != null && <li className={classes['at']}>{dayAndTime(at * 1_000, zone, present)}</li>}
      {lines.map(({ key, label, unit, value, index }) => (
        <li key={key}>
          <span
            className={classes['line']}
            style={{ background: `var(${colours[index % colours.length]})` }}
            aria-hidden
          />
          {label}{' '}
          <strong data-series={key}>
            {value == null ? '–' : numberText(value, { maximumFractionDigits: 2 })}
            {value != null && unit !== 'count' && ` ${unitText(unit)}`}
          </strong>
          {isUnfinished && isSum(unit, band) && ` ${t('so far')}`}
        </li>
      ))}
    </ul>
  );
}
