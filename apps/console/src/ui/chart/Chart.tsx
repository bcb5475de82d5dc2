import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { get } from '../../api/request.js';
import type { ChartData } from '../../api/types.js';
import { useNow } from '../../time/clock.js';
import { dayAndTime } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';
import { Panel } from '../Panel.js';
import { Empty, Failed, Loading } from '../States.js';
import table from '../Table.module.css';
import classes from './Chart.module.css';
import { inWords, isKnown, picked, stepWords } from './data.js';
import { type Range, rangeQuery } from './RangePicker.js';

const Plot = lazy(() => import('./Plot.js').then((module) => ({ default: module.Plot })));

const REFRESH_MS = 30_000;

/** What a chart is of, and how it looks. */
export interface ChartKind {
  title: string;
  /** As the API calls it. */
  series: string;
  /** Which of its lines; all unless given. */
  lines?: readonly string[];
  /** Tokens, one a line. */
  colours: readonly string[];
  /** The second and third lines are the bounds of the first. */
  band?: boolean;
}

interface ChartProps {
  kind: ChartKind;
  /** Where the data is: an address that takes `series`, `from`, `to` and `time_zone`. */
  path: string;
  range: Range;
  onRange: (range: Range) => void;
  /** Before this nothing can be known. */
  beginning: string;
  height?: number;
}

/** One chart over time, as a picture and as a table. Marking a part of it with the mouse looks closer. */
export function Chart({ kind, path, range, onRange, beginning, height = 190 }: ChartProps) {
  const { title, series, lines, colours, band = false } = kind;
  const zone = useZone();
  const [asTable, setAsTable] = useState(false);
  const {
    data: answer,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['chart', path, series, range, zone],
    queryFn: ({ signal }) =>
      get<ChartData>(path, { query: { series, ...rangeQuery(range, beginning), time_zone: zone }, signal }),
    placeholderData: (previous) => previous,
    refetchInterval: 'span' in range ? REFRESH_MS : false,
  });
  const data = useMemo(() => answer && picked(answer, lines), [answer, lines]);
  const known = data !== undefined && isKnown(data);
  const zoom = (from: number, to: number): void => onRange({ from: from * 1_000, to: to * 1_000 });
  return (
    <Panel
      title={title}
      aside={
        known && (
          <span className={classes['aside']}>
            {stepWords(data)}
            <Button variant="subtle" color="gray" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
              Table<span className="visually-hidden"> of {title}</span>
            </Button>
          </span>
        )
      }
    >
      {error && !data && <Failed error={error} retry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && !known && <Empty title="Nothing was measured in this time">Choose a longer one.</Empty>}
      {known && (
        <figure aria-busy={isPlaceholderData} className={classes['figure']}>
          {asTable ? (
            <ChartTable title={title} data={data} />
          ) : (
            <Suspense fallback={<Loading />}>
              <Plot data={data} zone={zone} height={height} colours={colours} band={band} onZoom={zoom} />
            </Suspense>
          )}
          <figcaption className="visually-hidden">{inWords(title, data)}</figcaption>
        </figure>
      )}
    </Panel>
  );
}

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
