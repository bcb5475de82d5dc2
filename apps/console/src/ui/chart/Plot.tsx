import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Chart } from '../../api/schema.js';
import { now } from '../../time/clock.js';
import { dayAndTime, HAS_12_HOURS, monthNames, weekdayNames } from '../../time/format.js';
import classes from './Plot.module.css';
import { t, numberText } from '../../i18n/i18n.js';
import { unitText } from './data.js';

interface PlotProps {
  data: Chart;
  zone: string;
  height: number;
  /** Names of CSS variables such as `--ok-mark`, one per series. */
  colours: readonly string[];
  /** The second and third series are the bounds of the first. */
  band: boolean;
  /** Called when a range is selected with the mouse. Epoch seconds. */
  onZoom: (from: number, to: number) => void;
}

/** The drawing itself: a separate chunk that loads with the first chart. */
export function Plot({ data, zone, height, colours, band, onZoom }: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const plot = useRef<uPlot>(undefined);
  const shape = JSON.stringify([data.series, data.step_seconds, zone, height, colours, scheme]);

  useEffect(() => {
    const element = host.current!;
    const options = plotOptions({
      data,
      zone,
      height,
      band,
      width: element.clientWidth,
      colours: colours.map((name) => getComputedStyle(element).getPropertyValue(name).trim()),
      line: getComputedStyle(element).getPropertyValue('--line'),
      ink: getComputedStyle(element).getPropertyValue('--ink-2'),
      onZoom: (from, to) => zoom.current(from, to),
    });
    const drawn = new uPlot(options, data.columns as uPlot.AlignedData, element);
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `shape` stands for everything that needs a new drawing
  }, [shape]);

  useEffect(() => plot.current?.setData(data.columns as uPlot.AlignedData), [data]);

  return <div ref={host} className={classes['plot']} aria-hidden />;
}

interface PlotSettings extends PlotProps {
  width: number;
  line: string;
  ink: string;
}

/** uPlot's options: one line per series, with gaps where there is no data. */
function plotOptions(settings: PlotSettings): uPlot.Options {
  const { data, zone, width, height, band, colours, line, ink, onZoom } = settings;
  const axis: uPlot.Axis = {
    stroke: ink,
    font: '11px Inter Variable, system-ui, sans-serif',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    // room at the right for half of the last time label
    padding: [8, 24, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
    fmtDate: (template) => uPlot.fmtDate(template, DATE_NAMES),
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    select: { show: true, left: 0, top: 0, width: 0, height: 0 },
    legend: { live: true },
    scales: { y: { range: (_plot, min, max) => yRange(min, max) } },
    axes: [
      { ...axis, grid: { show: false }, values: AXIS_TIMES, space: 70 },
      { ...axis, size: 48, values: (_plot, ticks) => ticks.map((tick) => compact(tick)) },
    ],
    series: [
      { label: t('Time'), value: (_plot, at) => (at === null ? '–' : dayAndTime(at * 1_000, zone, now())) },
      ...data.series.map((series, index): uPlot.Series => {
        const bound = band && index > 0;
        const colour = colours[bound ? 0 : index % colours.length]!;
        return {
          label: series.label,
          stroke: bound ? 'transparent' : colour,
          width: bound ? 0 : 1.6,
          spanGaps: false,
          points: { show: (plot) => !bound && showPoints(plot.data[0].length, width) },
          value: (_plot, value) =>
            value === null
              ? '–'
              : `${compact(value)} ${series.unit === 'count' ? '' : unitText(series.unit)}`.trim(),
        };
      }),
    ],
    ...(band ? { bands: [{ series: [3, 2], fill: `${colours[0]}2e` }] } : {}),
    hooks: {
      setSelect: [
        (plot) => {
          if (plot.select.width < 8) return;
          onZoom(
            plot.posToVal(plot.select.left, 'x'),
            plot.posToVal(plot.select.left + plot.select.width, 'x'),
          );
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

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
