import type { Chart } from '../../api/schema.js';
import { drawnColumns, firstTime, firstUnfinished, intervalText, lastRow, trimStart } from './data.js';
import { axisOf } from './range.js';

const series = (unit: string) => [{ key: 'a', label: 'A', unit }];

describe('the interval of points', () => {
  it.each([
    ['1s', '1-second intervals'],
    ['5m', '5-minute intervals'],
    ['6h', '6-hour intervals'],
    ['1d', '1-day intervals'],
    ['7d', '7-day intervals'],
  ])('%s is %s', (step, text) => expect(intervalText({ step, series: series('count') })).toBe(text));

  it('is not shown for averages', () => {
    expect(intervalText({ step: '1d', series: series('dBm') })).toBe('');
  });
});

describe('a chart whose last points are not finished', () => {
  const chart = (columns: (number | null)[][], until: number, unit = 'count'): Chart => ({
    columns,
    series: columns.slice(1).map((_, index) => ({ key: `k${index}`, label: 'L', unit })),
    step: '5m',
    step_seconds: 300,
    from: '1970-01-01T00:00:00Z',
    to: '1970-01-01T00:20:00Z',
    complete_until: new Date(until * 1_000).toISOString(),
    time_zone: 'UTC',
  });
  const times = [0, 300, 600, 900];
  const counts = chart([times, [null, 700, 702, 140]], 900);

  it('draws them apart: no line falls to what is counted so far', () => {
    expect(firstUnfinished(counts)).toBe(3);
    expect(drawnColumns(counts, false)).toEqual([times, [null, 700, 702, null], [null, null, null, 140]]);
    expect(lastRow(counts)).toBe(2);
  });

  it('draws averages as they are: half an hour has the same average as an hour', () => {
    const averages = chart([times, [null, 81, 80, 80]], 900, '%');
    expect(drawnColumns(averages, true)[1]).toEqual([null, 81, 80, 80]);
  });

  it('has no unfinished point if its time has passed', () => {
    expect(firstUnfinished(chart([times, [1, 2, 3, 4]], 1_200))).toBe(4);
  });

  it('keeps the whole time for the axis; only the table begins with the first value', () => {
    expect(firstTime(counts)).toBe(300);
    expect(trimStart(chart([times, [null, null, null, 4]], 1_200)).columns).toEqual([
      [600, 900],
      [null, 4],
    ]);
    const [from, to] = axisOf({ span: '24 h' }, 300);
    expect(to - from).toBe(86_400);
    expect(axisOf({ span: 'All' }, 300)[0]).toBe(300);
    expect(axisOf({ from: 1_000, to: 9_000 }, 300)).toEqual([1, 9]);
  });
});
