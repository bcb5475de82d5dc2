import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Chart } from '../../api/schema.js';
import { HAS_12_HOURS, monthNames, weekdayNames } from '../../time/format.js';
import classes from './Plot.module.css';
import { drawMarks, drawUnfinished } from './draw.js';
import { drawnColumns, firstUnfinished, isSum } from './data.js';
import { type ChartMark, MARKS } from './marks.js';
import { t, numberText } from '../../i18n/i18n.js';

interface PlotProps {
  data: Chart;
  zone: string;
  height: number;
  /** Names of CSS variables such as `--ok-mark`, one per series. */
  colours: readonly string[];
  /** The second and third series are the bounds of the first. */
  band: boolean;
  /** What the time axis shows, whatever data there are. Epoch seconds. */
  axis: [from: number, to: number];
  marks: readonly ChartMark[];
  /** Charts with the same name move their cursors together. */
  sync: string;
  /** Called with the row under the cursor of any of these charts. */
  onHover: (row: number | null) => void;
  /** Called when a range is selected with the mouse. Epoch seconds. */
  onZoom: (from: number, to: number) => void;
}

/** The drawing itself: a separate chunk that loads with the first chart. */
export function Plot(props: PlotProps) {
  const { data, zone, height, colours, band, axis, marks, sync } = props;
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  // what changes without a new drawing
  const latest = useRef(props);
  latest.current = props;
  const plot = useRef<uPlot>(undefined);
  const shape = JSON.stringify([data.series, data.step_seconds, zone, height, colours, scheme, sync]);

  useEffect(() => {
    const element = host.current!;
    const colourOf = (name: string): string => getComputedStyle(element).getPropertyValue(name).trim();
    const options = plotOptions({
      ...props,
      width: element.clientWidth,
      colours: colours.map(colourOf),
      colourOf,
      latest,
    });
    const drawn = new uPlot(options, drawnColumns(data, band) as uPlot.AlignedData, element);
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `shape` stands for everything that needs a new drawing
  }, [shape]);

  const [from, to] = axis;
  useEffect(() => {
    plot.current?.setData(drawnColumns(data, band) as uPlot.AlignedData);
  }, [data, band, from, to, marks]);

  return <div ref={host} className={classes['plot']} aria-hidden />;
}

interface PlotSettings extends PlotProps {
  width: number;
  /** The value of a CSS variable. */
  colourOf: (name: string) => string;
  latest: { readonly current: PlotProps };
}

/** uPlot's options: one line per series, with gaps where there is no data. */
function plotOptions(settings: PlotSettings): uPlot.Options {
  const { data, zone, width, height, band, colours, colourOf, sync, latest } = settings;
  const isOfSums = data.series.some(({ unit }) => isSum(unit, band));
  const axis: uPlot.Axis = {
    stroke: colourOf('--ink-2'),
    font: '11px Inter Variable, system-ui, sans-serif',
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    // room at the right for half of the last time label
    padding: [8, 24, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
    fmtDate: (template) => uPlot.fmtDate(template, DATE_NAMES),
    cursor: {
      drag: { x: true, y: false, setScale: false },
      points: { size: 7 },
      sync: { key: sync, filters: { pub: isMove, sub: isMove } },
    },
    select: { show: true, left: 0, top: 0, width: 0, height: 0 },
    legend: { show: false },
    scales: { x: { range: () => latest.current.axis }, y: { range: (_plot, min, max) => yRange(min, max) } },
    axes: [
      { ...axis, grid: { show: false }, values: AXIS_TIMES, space: 70 },
      {
        ...axis,
        size: 48,
        ...(isOfSums && { incrs: WHOLE }),
        values: (_plot, ticks) => ticks.map((tick) => compact(tick)),
      },
    ],
    series: [
      {},
      ...data.series.map((series, index): uPlot.Series => {
        const bound = band && index > 0;
        const colour = colours[bound ? 0 : index % colours.length]!;
        return {
          label: series.label,
          stroke: bound ? 'transparent' : colour,
          width: bound ? 0 : 1.6,
          spanGaps: false,
          points: { show: (plot) => !bound && showPoints(plot.data[0].length, width) },
        };
      }),
      ...data.series.map((_, index): uPlot.Series => {
        const colour = colours[index % colours.length]!;
        return {
          stroke: colour,
          width: 0,
          points: { show: true, size: 7, stroke: colour, fill: colourOf('--surface') },
        };
      }),
    ],
    ...(band ? { bands: [{ series: [3, 2], fill: `${colours[0]}2e` }] } : {}),
    hooks: {
      drawClear: [
        (plot) => drawMarks(plot, latest.current.marks, (kind) => colourOf(MARKS[kind].colour)),
        (plot) => {
          const { data: shown } = latest.current;
          const begins = shown.columns[0]?.[firstUnfinished(shown)];
          if (isOfSums && begins != null) drawUnfinished(plot, begins, colourOf('--unknown-mark'));
        },
      ],
      setCursor: [(plot) => latest.current.onHover(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          if (plot.select.width < 8) return;
          latest.current.onZoom(
            plot.posToVal(plot.select.left, 'x'),
            plot.posToVal(plot.select.left + plot.select.width, 'x'),
          );
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

/** Cursors move together; a part is selected in one chart only. */
const isMove = (type: string): boolean => type === 'mousemove' || type === 'mouseleave';

/** The y axis starts at zero, unless all values are negative (signal). */
function yRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  if (max <= 0 && min < 0) return [Math.floor(min / 10) * 10 - 5, Math.min(0, Math.ceil(max / 10) * 10 + 5)];
  return [Math.min(0, min), max === 0 ? 1 : max * 1.08];
}

/** Whether to draw points: a few of them with gaps would be invisible as a line. */
function showPoints(points: number, width: number): boolean {
  return points * 14 < width;
}

/** Steps between ticks of counts: there is no half of an alert. */
const WHOLE = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 12 }, (_, power) => step * 10 ** power))
  .toSorted((one, other) => one - other);

function compact(value: number): string {
  return numberText(value, { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1 });
}

/** Names of months and weekdays in the page's language. */
const DATE_NAMES = {
  MMMM: monthNames('long'),
  MMM: monthNames('short'),
  WWWW: weekdayNames('long'),
  WWW: weekdayNames('short'),
};

/** A day of a month: `2 Mar`. */
const DAY = t('{D} {MMM}');

/** 24 hours, days as `2 Mar`, and the year where it changes. */
const AXIS_TIMES: uPlot.Axis.Values = [
  [3600 * 24 * 365, '{YYYY}', null, null, null, null, null, null, 1],
  [3600 * 24 * 28, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [3600 * 24, DAY, '\n{YYYY}', null, null, null, null, null, 1],
  [60, HAS_12_HOURS ? '{h}:{mm} {aa}' : '{HH}:{mm}', `\n${DAY}`, null, `\n${DAY}`, null, null, null, 1],
  [
    1,
    HAS_12_HOURS ? '{h}:{mm}:{ss} {aa}' : '{HH}:{mm}:{ss}',
    `\n${DAY}`,
    null,
    `\n${DAY}`,
    null,
    null,
    null,
    1,
  ],
];
