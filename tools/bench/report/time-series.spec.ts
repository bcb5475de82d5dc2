import { asCsv, countPerStep, summed } from './time-series.js';

describe('a time series', () => {
  it('counts what lies in each step, its beginning included', () => {
    expect(countPerStep([99, 100, 109, 110, 129, 130], 100, 10, 3)).toEqual([2, 1, 1]);
  });

  it('sums up', () => expect(summed([1, 0, 2])).toEqual([1, 1, 3]));

  it('is written with the second at which each step begins', () => {
    expect(asCsv({ step: 5, columns: { offered: [1, 2], judged: [0, 3] } })).toBe(
      'second,offered,judged\n0,1,0\n5,2,3\n',
    );
  });
});
