import { liesWithin, periodsOf, touches } from './ownership.js';

const day = (date: number): Date => new Date(Date.UTC(2026, 2, date));

describe('who owned a bottle when', () => {
  const bottle = {
    user_id: 'ann',
    former_owners: [
      { user_id: 'ann', until: day(5) },
      { user_id: 'ben', until: day(9) },
    ],
  };

  it.each([
    ['ann', [{ until: day(5) }, { from: day(9) }]],
    ['ben', [{ from: day(5), until: day(9) }]],
    ['cleo', []],
  ])('of %s', (user, periods) => expect(periodsOf(bottle, user)).toEqual(periods));

  it('is always, for an owner without others', () =>
    expect(periodsOf({ user_id: 'ann' }, 'ann')).toEqual([{}]));

  const bens = periodsOf(bottle, 'ben');

  it.each([
    [4, 5, false, false],
    [4, 6, true, false],
    [5, 6, true, true],
    [8, 9, true, true],
    [8, 10, true, false],
    [9, 10, false, false],
  ])('from day %i to %i touches: %s, lies within: %s', (from, until, touching, within) => {
    const span = { from: day(from), until: day(until) };
    expect(touches(bens, span)).toBe(touching);
    expect(liesWithin(bens, span)).toBe(within);
  });

  it('counts what has no end', () => {
    expect(touches(bens, { from: day(4) })).toBe(true);
    expect(touches(bens, { from: day(9) })).toBe(false);
    expect(touches(bens, { until: day(5) })).toBe(false);
    expect(touches([{}], {})).toBe(true);
  });
});
