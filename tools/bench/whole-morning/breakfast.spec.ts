import { doseOf, FIRST, LAST, LATE_AFTER } from './breakfast.js';

const DOSES = Array.from({ length: 20_000 }, (_, n) => doseOf(n));
const shareOf = (is: (dose: (typeof DOSES)[number]) => boolean): number =>
  DOSES.filter(is).length / DOSES.length;

describe('a breakfast', () => {
  it('is planned for the full and the half hours most of all, and for nothing outside the hour', () => {
    expect(shareOf(({ due }) => due === 0)).toBeGreaterThan(0.35);
    expect(shareOf(({ due }) => Math.abs(due) === 30)).toBeGreaterThan(0.38);
    expect(DOSES.every(({ due }) => Math.abs(due) <= 30)).toBe(true);
  });

  it('is forgotten by one in 25, taken late by 6 in 100, and by the others a few minutes early or late', () => {
    expect(shareOf(({ fate }) => fate === 'never')).toBeCloseTo(0.04, 2);
    expect(shareOf(({ fate }) => fate === 'late')).toBeCloseTo(0.06, 2);
    const near = DOSES.filter(({ fate }) => fate === 'in time').map(({ due, opened }) => opened! - due);
    expect(near.filter((minutes) => Math.abs(minutes) < 10).length / near.length).toBeGreaterThan(0.95);
    expect(near.filter((minutes) => minutes < 0).length / near.length).toBeGreaterThan(0.35);
  });

  it('has nobody between in time and late', () => {
    for (const { due, fate, opened } of DOSES) {
      if (fate === 'never') expect(opened).toBeUndefined();
      else if (fate === 'late') expect(opened! - due).toBeGreaterThanOrEqual(LATE_AFTER + 15);
      else expect(opened! - due).toBeLessThanOrEqual(LATE_AFTER - 30);
    }
  });

  it('begins and ends when it says', () => {
    const opened = DOSES.flatMap((dose) => dose.opened ?? []);
    expect(Math.min(...opened)).toBeGreaterThanOrEqual(FIRST);
    expect(Math.max(...opened)).toBeLessThanOrEqual(LAST);
  });

  it('is the same each time', () => expect(doseOf(4_711)).toEqual(DOSES[4_711]));
});
