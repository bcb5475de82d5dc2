import { ASKED_OF_A_PAGE, inTurn } from './count-mismatch.kind.js';

describe('whose pills are weighed', () => {
  const bottles = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const day = (number: number): Date => new Date(Date.UTC(2026, 0, number, 8));

  it('are those of all bottles of a page, if there are few', () => {
    expect(inTurn(bottles(ASKED_OF_A_PAGE), day(1))).toEqual(bottles(ASKED_OF_A_PAGE));
  });

  it.each([ASKED_OF_A_PAGE + 1, 120, 500])('are those of some of %i, and of all in a few days', (count) => {
    const all = bottles(count);
    const days = Array.from({ length: Math.ceil(count / ASKED_OF_A_PAGE) }, (_, index) => day(1 + index));
    for (const now of days) expect(new Set(inTurn(all, now)).size).toBe(ASKED_OF_A_PAGE);
    expect(new Set(days.flatMap((now) => inTurn(all, now)))).toEqual(new Set(all));
  });
});
