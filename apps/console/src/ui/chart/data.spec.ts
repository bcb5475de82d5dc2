import { intervalText } from './data.js';

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
