import { HOUR_MS } from '../../../time/durations.js';
import fc from 'fast-check';
import { learnPillWeight, weighOnePill } from './pill-weight.js';
import type { Weighing } from './weighing.js';

const START = Date.parse('2026-03-02T08:00Z');

/** Closings an hour apart. */
const weighings = (...values: [grams: number, pills: number][]): Weighing[] =>
  values.map(([mass_of_contents, number_of_pills], index) => ({
    time: new Date(START + index * HOUR_MS),
    mass_of_contents,
    number_of_pills,
  }));
/** So many counts downwards from `from`, weighed by `grams`. */
const series = (from: number, length: number, grams: (pills: number) => number): Weighing[] =>
  weighings(...Array.from({ length }, (_, index): [number, number] => [grams(from - index), from - index]));

describe('weighOnePill', () => {
  it('is learned from five counts whose mass follows them', () => {
    expect(weighOnePill(series(20, 4, (pills) => pills / 2))).toBeUndefined();
    expect(weighOnePill(series(20, 5, (pills) => pills / 2))).toEqual({
      mass: 0.5,
      time: new Date(START + 4 * HOUR_MS),
    });
  });

  it('what comes after a weighing that does not fit is not believed', () => {
    const good = series(20, 6, (pills) => pills / 2);
    const missing = series(14, 12, (pills) => (pills - 4) / 2).map((weighing, index) => ({
      ...weighing,
      time: new Date(START + (6 + index) * HOUR_MS),
    }));
    for (let later = 0; later <= missing.length; later += 1) {
      expect(weighOnePill([...good, ...missing.slice(0, later)])).toEqual(weighOnePill(good));
    }
    expect(weighOnePill([...missing.slice(0, 1), ...good.slice(0, 4)])).toBeUndefined();
  });

  it('a refill is a change of count like any other', () => {
    const used = series(9, 3, (pills) => pills * 0.5);
    const refilled = series(32, 2, (pills) => pills * 0.5).map((weighing, index) => ({
      ...weighing,
      time: new Date(START + (5 + index) * HOUR_MS),
    }));
    expect(weighOnePill([...used, ...refilled])).toMatchObject({ mass: 0.5 });
  });

  it.each([
    ['a scale that always says the same', series(25, 12, () => 44.25)],
    ['a scale that always says the same, of a full bottle', series(100, 8, () => 177)],
    ['a mass that goes down by less than its pills', series(25, 6, (pills) => 44.25 - (25 - pills))],
    ['a count that is never kept', weighings([10, 20], [9.5, 20], [9, 20], [8.5, 20], [8, 20], [7.5, 20])],
    ['a nearly empty bottle', series(5, 6, (pills) => pills / 2)],
    ['an empty scale', series(20, 8, () => 0)],
  ])('nothing is learned from %s', (_, from) => expect(weighOnePill(from)).toBeUndefined());

  it('load cell creeps with heat (HX711 libraries’ issues): it is learned all the same', () => {
    const warm = series(30, 8, (pills) => pills * 1.77 * (1 + (pills % 3) / 100));
    expect(weighOnePill(warm)!.mass).toBeCloseTo(1.77, 1);
  });

  const noisy = fc
    .record({
      pill: fc.double({ min: 0.05, max: 3, noNaN: true }),
      from: fc.integer({ min: 12, max: 200 }),
      errors: fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: 5, maxLength: 8 }),
    })
    .map(({ pill, from, errors }) => ({
      pill,
      closings: series(from, errors.length, (pills) => pill * (pills + errors[from - pills]!)),
    }));

  it('what is learned is within the scale’s error, and does not depend on the order', () => {
    fc.assert(
      fc.property(noisy, fc.func(fc.nat()), ({ pill, closings }, shuffle) => {
        const learned = weighOnePill(closings);
        const shuffled = closings.toSorted((one, other) => shuffle(one) - shuffle(other));
        expect(weighOnePill(shuffled)).toEqual(learned);
        const smallest = Math.min(...closings.map(({ number_of_pills }) => number_of_pills));
        if (learned) expect(Math.abs(learned.mass / pill - 1)).toBeLessThanOrEqual(0.3 / smallest + 1e-9);
      }),
    );
  });
});

describe('learnPillWeight', () => {
  const of = (...masses: number[]) => learnPillWeight(masses.map((mass) => ({ mass })));

  it('is the median of the bottles, and one bottle is enough', () => {
    expect(of()).toBeUndefined();
    expect(of(0.5)).toEqual({ mass: 0.5, bottles: 1 });
    expect(of(0.49, 0.5, 0.51, 0.5, 9)).toEqual({ mass: 0.5, bottles: 5 });
  });

  it('is nothing while bottles disagree: pills of two makers have one name', () => {
    expect(of(0.5, 0.6)).toBeUndefined();
    expect(of(0.5, 0.5, 0.5, 0.6)).toBeUndefined();
  });

  it('does not depend on the order, and a fifth of wrong bottles moves it by no more than the others differ', () => {
    const good = fc.array(fc.double({ min: 0.98, max: 1.02, noNaN: true }), { minLength: 8, maxLength: 20 });
    const wrong = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { maxLength: 2 });
    fc.assert(
      fc.property(good, wrong, fc.func(fc.nat()), (bottles, outliers, shuffle) => {
        const learned = of(...bottles, ...outliers)!;
        expect(learned.mass).toBeGreaterThanOrEqual(0.98);
        expect(learned.mass).toBeLessThanOrEqual(1.02);
        const shuffled = [...bottles, ...outliers].toSorted((one, other) => shuffle(one) - shuffle(other));
        expect(of(...shuffled)).toEqual(learned);
      }),
    );
  });
});
