import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { ChartData } from '../../api/types/charts.js';
import { plotOptions } from './plot-options.js';
import classes from './Plot.module.css';

interface PlotProps {
  data: ChartData;
  zone: string;
  height: number;
  /** Names of tokens, such as `--ok-mark`, one a series. */
  colours: readonly string[];
  band: boolean;
  /** A range was marked with the mouse. Epoch seconds. */
  onZoom: (from: number, to: number) => void;
}

/** The drawing itself: a chunk of its own, loaded when the first chart is shown. */
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
