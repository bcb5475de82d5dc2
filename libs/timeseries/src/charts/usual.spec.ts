import { compare } from './usual.js';

describe('what is usual in this hour', () => {
  const weeks = [690, 700, 710, 705];

  it.each([
    [700, null],
    [885, null],
    // a quarter of 702.5 more than the most
    [886, 'high'],
    [515, null],
    [514, 'low'],
    [140, 'low'],
    [null, null],
  ])('%s reports, with about 700 in four weeks, is %s', (now, unusual) => {
    expect(compare(now, weeks)).toEqual({ now, usual: 702.5, low: 690, high: 710, unusual });
  });

  it.each([
    [3, null],
    [4, 'high'],
  ])('%s alerts, where there are none, is %s', (now, unusual) => {
    expect(compare(now, [0, 0, 0])?.unusual).toBe(unusual);
  });

  it('few things come and go by chance', () => {
    expect(compare(0, [4, 6, 5])?.unusual).toBeNull();
    expect(compare(0, [14, 16, 15])?.unusual).toBe('low');
  });

  it('is not known without two weeks in which somebody counted', () => {
    expect(compare(5, [])).toBeUndefined();
    expect(compare(5, [4, null, null])).toBeUndefined();
    expect(compare(5, [4, null, 6])).toMatchObject({ usual: 5, low: 4, high: 6 });
  });
});
