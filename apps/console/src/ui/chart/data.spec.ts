import { stepWords } from './data.js';

const series = (unit: string) => [{ key: 'a', label: 'A', unit }];

describe('what a point stands for', () => {
  it.each([
    ['1s', 'a point is 1 s'],
    ['5m', 'a point is 5 min'],
    ['6h', 'a point is 6 h'],
    ['1d', 'a point is 1 day'],
    ['7d', 'a point is 7 days'],
  ])('%s is %s', (step, words) => expect(stepWords({ step, series: series('count') })).toBe(words));

  it('makes no difference to an average', () => {
    expect(stepWords({ step: '1d', series: series('dBm') })).toBe('');
  });
});
