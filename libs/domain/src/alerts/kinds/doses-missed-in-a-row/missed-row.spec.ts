import { breakOf, endOfRow, missedRow, type RowDose } from './missed-row.js';

const OUTCOMES: Record<string, Partial<RowDose>> = {
  m: { outcome: 'missed' },
  t: { outcome: 'taken_on_time' },
  p: { outcome: 'partial' },
  '?': { outcome: 'unknown' },
  '-': {},
  // settled by a statement
  M: { outcome: 'missed', isSettled: true },
  U: { outcome: 'unknown', isSettled: true },
  S: { isSettled: true },
};

/** One dose a day, from the first of March on: what became of each by its letter. */
const doses = (letters: string): RowDose[] =>
  [...letters].map((letter, index) => ({
    scheduled_at: day(index + 1),
    isSettled: false,
    ...OUTCOMES[letter],
  }));

const day = (date: number): Date => new Date(Date.UTC(2026, 2, date, 8));

describe('a row of missed doses', () => {
  it.each([
    ['mmm', 'all of them', 1, 3],
    ['tmmm', 'since the last that was taken', 2, 3],
    ['mmpmm', 'since a part', 4, 2],
    ['m?m?m', 'unknown ones neither count nor break it', 1, 3],
    ['mmm??', 'nor at its end', 1, 3],
    ['mm-', 'one without an outcome is not known yet', 1, 2],
    ['mMmm', 'since a statement settled one', 3, 2],
    ['mUmm', 'also one that was unknown', 3, 2],
  ])('%s: %s', (letters, _, since, count) => {
    const shuffled = doses(letters).reverse();
    expect(missedRow(shuffled)).toMatchObject({ since: day(since), count });
  });

  it.each(['', '?', 'mmt', 'mmp', 'mmM', 'mmmS'])('is none: %s', (letters) =>
    expect(missedRow(doses(letters))).toBeUndefined(),
  );

  it('ends with its last dose that was missed, and breaks at the last that was not', () => {
    expect(missedRow(doses('tmm?'))).toEqual({ since: day(2), until: day(3), count: 2, standsSince: day(3) });
    expect(breakOf(doses('tmpm?'))).toEqual(day(3));
    expect(breakOf(doses('m?'))).toBeUndefined();
  });

  it('stands since its last dose, or since people undid what had broken it', () => {
    const [first, ...others] = doses('mmm');
    expect(missedRow([first!, ...others])?.standsSince).toEqual(day(3));
    expect(missedRow([{ ...first!, undoneAt: day(2) }, ...others])?.standsSince).toEqual(day(3));
    expect(missedRow([{ ...first!, undoneAt: day(4) }, ...others])?.standsSince).toEqual(day(4));
    const next = { scheduled_at: day(4), isSettled: false, undoneAt: day(5) };
    expect(missedRow([...doses('mmm'), next])?.standsSince).toEqual(day(5));
  });
});

describe('a row of three that people were notified of', () => {
  const row = { since: day(1), until: day(3) };

  it.each([
    ['mmm', 'nothing more is known', undefined],
    ['mmmmm', 'more were missed', undefined],
    ['mmm?', 'the next is unknown', undefined],
    ['mmmt', 'the next was taken', 'resolved'],
    ['mmmp', 'or a part of it', 'resolved'],
    ['mmmS', 'or a statement settles it', 'resolved'],
    ['mmmtmmm', 'another row is another alert', 'resolved'],
    ['mMm', 'a statement settles one of it', 'resolved'],
    ['mtm', 'late data: one of it was taken', 'retracted'],
    ['mtmmm', 'more were missed since: another row', 'retracted'],
    ['mtmt', 'and the next was taken', 'retracted'],
    ['mMmmm', 'a statement settles one of it, and more were missed since', 'resolved'],
  ])('%s: %s', (letters, _, end) => expect(endOfRow(row, 3, doses(letters))).toBe(end));

  it('that was longer stands while three of it were missed', () =>
    expect(endOfRow({ since: day(1), until: day(4) }, 3, doses('tmmm'))).toBeUndefined());
});
