import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Trans } from 'react-i18next';
import { get } from '../../api/request.js';
import type { Chart } from '../../api/schema.js';
import { useNow } from '../../time/clock.js';
import { dayAndTime } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';
import type { Meaning } from '../Mark.js';
import { CsvLink } from '../CsvLink.js';
import { Panel } from '../Panel.js';
import { Empty, Failed, Loading } from '../States.js';
import table from '../Table.module.css';
import classes from './Chart.module.css';
import { chartText, firstTime, hasValues, intervalText, selectLines, trimStart, unitText } from './data.js';
import { ChartLegend } from './ChartLegend.js';
import { type ChartMark, useChartGroup } from './marks.js';
import { axisOf, type Range, rangeQuery } from './range.js';
import { t } from '../../i18n/i18n.js';

const Plot = lazy(() => import('./Plot.js').then((module) => ({ default: module.Plot })));

const REFRESH_MS = 30_000;

/** The contents and colours of a chart. */
export interface ChartKind {
  title: string;
  /** Its name in the API. */
  series: string;
  /** Which of its lines; all if omitted. */
  lines?: readonly string[];
  /** The console's labels of the lines, if they differ from the API's. */
  labels?: Record<string, Pick<Meaning, 'label'>>;
  /** Names of CSS variables, one per line. */
  colours: readonly string[];
  /** The second and third lines are the bounds of the first. */
  band?: boolean;
}

interface ChartProps {
  kind: ChartKind;
  /** An API path that takes `series`, `from`, `to` and `time_zone`. */
  path: string;
  range: Range;
  onRange: (range: Range) => void;
  /** There is no data before this. */
  beginning: string;
  height?: number;
  /** Drawn in this chart alone, beside those of its group. */
  marks?: readonly ChartMark[];
}

const NO_MARKS: readonly ChartMark[] = [];

/** A chart over time in a {@link ChartGroup}, as a drawing or a table. Selecting a part with the mouse zooms in. */
export function Chart({ kind, path, range, onRange, beginning, height = 190, marks = NO_MARKS }: ChartProps) {
  const { title, series, lines, labels, colours, band = false } = kind;
  const zone = useZone();
  const [asTable, setAsTable] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const { sync, marks: common, begins, noteFirst } = useChartGroup();
  const {
    data: answer,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['chart', path, series, range, zone],
    queryFn: async ({ signal }) => {
      const query = { series, ...rangeQuery(range, beginning), time_zone: zone };
      const chart = await get<Chart>(path, { query, signal });
      return { chart, axis: axisOf(range, firstTime(chart) ?? Number.POSITIVE_INFINITY) };
    },
    placeholderData: (previous) => previous,
    refetchInterval: 'span' in range ? REFRESH_MS : false,
  });
  const data = useMemo(() => answer && selectLines(answer.chart, lines, labels), [answer, lines, labels]);
  const first = data && firstTime(data);
  useEffect(() => noteFirst(title, first), [noteFirst, title, first]);
  const drawnMarks = useMemo(() => [...common, ...marks], [common, marks]);
  const known = data !== undefined && hasValues(data);
  const zoom = (from: number, to: number): void => onRange({ from: from * 1_000, to: to * 1_000 });
  return (
    <Panel
      title={title}
      aside={
        known && (
          <span>
            {intervalText(data)}
            <CsvLink
              path={path}
              query={{ series, ...rangeQuery(range, beginning), time_zone: zone }}
              name={series}
              label={
                <Trans
                  i18nKey="CSV<hidden> of {{title}}</hidden>"
                  components={{ hidden: <span className="visually-hidden" /> }}
                  values={{ title }}
                />
              }
              subtle
            />
            <Button variant="subtle" color="gray" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
              <Trans
                i18nKey="Table<hidden> of {{title}}</hidden>"
                components={{ hidden: <span className="visually-hidden" /> }}
                values={{ title }}
              />
            </Button>
          </span>
        )
      }
    >
      {error && !data && <Failed error={error} retry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && !known && <Empty title={t('No data in this period')}>{t('Choose a longer period.')}</Empty>}
      {known && (
        <figure aria-busy={isPlaceholderData} className={classes['figure']}>
          {asTable ? (
            <ChartTable title={title} data={trimStart(data)} />
          ) : (
            <>
              <Suspense fallback={<Loading />}>
                <Plot
                  axis={[begins ?? answer!.axis[0], answer!.axis[1]]}
                  marks={drawnMarks}
                  sync={sync}
                  onHover={setHovered}
                  onZoom={zoom}
                  {...{ data, zone, height, colours, band }}
                />
              </Suspense>
              <ChartLegend {...{ title, data, colours, band }} row={hovered} />
            </>
          )}
          <figcaption className="visually-hidden">{chartText(title, data)}</figcaption>
        </figure>
      )}
    </Panel>
  );
}

/** The chart's values, newest first. */
function ChartTable({ title, data: { columns, series } }: { title: string; data: Chart }) {
  const zone = useZone();
  const present = useNow();
  const times = columns[0] ?? [];
  const rows = times.map((_, index) => index).toReversed();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div
      className={classes['table']}
      tabIndex={0}
      role="region"
      aria-label={t('{{title}}: table', { title })}
    >
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
            {series.map(({ key, label, unit }) => (
              <th key={key} scope="col" className={table['number']}>
                {label} {unit && `(${unitText(unit)})`}
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
