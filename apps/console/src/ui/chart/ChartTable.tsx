import type { ChartData } from '../../api/types/charts.js';
import { dayAndTime } from '../../time/format.js';
import { useNow } from '../../time/use-now.js';
import { useZone } from '../../time/zones.js';
import table from '../Table.module.css';
import classes from './Chart.module.css';

/** A chart's numbers, newest first. */
export function ChartTable({ title, data: { columns, series } }: { title: string; data: ChartData }) {
  const zone = useZone();
  const present = useNow();
  const times = columns[0] ?? [];
  const rows = times.map((_, index) => index).toReversed();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div className={classes['table']} tabIndex={0} role="region" aria-label={`${title}: table`}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ key, label, unit }) => (
              <th key={key} scope="col" className={table['number']}>
                {label} {unit && `(${unit})`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={times[row]}>
              <td>{dayAndTime(times[row]! * 1_000, zone, present)}</td>
              {series.map(({ key, label }, index) => (
                <td key={key} data-label={label} className={table['number']}>
                  {columns[index + 1]?.[row] ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
