import { HOUR_MS } from '../../../time/durations.js';
import fc from 'fast-check';
import { judgeCount } from './count-mismatch.js';
import type { Weighing } from './weighing.js';

const START = Date.parse('2026-03-02T08:00Z');
const PILL = 0.5;

/** Closings an hour apart, each given as what the pills weigh in pills. */
const closings = (pillsByWeight: number[], count = 20): Weighing[] =>
  pillsByWeight.map((pills, index) => ({
    time: new Date(START + index * HOUR_MS),
    mass_of_contents: pills * PILL,
    number_of_pills: count,
  }));
const AGREED = [20, 20, 20, 20, 20];
const judge = (pillsByWeight: number[], count?: number) => judgeCount(closings(pillsByWeight, count), PILL);
const differsSince = (hours: number) => ({ result: 'differs', since: new Date(START + hours * HOUR_MS) });

describe('judgeCount', () => {
  it('begins at the second difference in a row beyond the tolerance, and says since when', () => {
    expect(judge([...AGREED, 22])).toEqual({ result: 'undecided' });
    expect(judge([...AGREED, 22, 22])).toEqual(differsSince(5));
    expect(judge([...AGREED, 22, 22, 22, 25])).toEqual(differsSince(5));
    expect(judge([...AGREED, 22, 20, 22, 20])).toEqual({ result: 'undecided' });
    expect(judge([...AGREED, 21.5, 21.5])).toEqual({ result: 'undecided' });
    expect(judge([...AGREED, 18.4, 18.4])).toEqual(differsSince(5));
    expect(judge([...AGREED, 18, 22])).toEqual({ result: 'undecided' });
  });

  it('ends at the second in a row well below the tolerance: between the two nothing changes', () => {
    expect(judge([...AGREED, 22, 22, 21.2, 20.9, 21.2, 20.9])).toEqual(differsSince(5));
    expect(judge([...AGREED, 22, 22, 20.5])).toEqual(differsSince(5));
    expect(judge([...AGREED, 22, 22, 20.5, 20.5])).toEqual({ result: 'agrees' });
    expect(judge([...AGREED, 22, 22, 20, 20, 22, 22])).toEqual({ result: 'undecided' });
    expect(judge([...AGREED, 22, 22, ...AGREED, 17, 17])).toEqual(differsSince(12));
  });

  it('allows a share of a large count', () => {
    const agreed = [100, 100, 100, 100, 100];
    expect(judge([...agreed, 104, 104], 100)).toEqual({ result: 'undecided' });
    expect(judge([...agreed, 106, 106], 100)).toEqual(differsSince(5));
  });

  it('says nothing of a bottle whose weight never agreed with its count', () => {
    expect(judge([30, 30, 30, 30, 30, 30, 30])).toEqual({ result: 'undecided' });
    expect(judge([20, 20, 20, 20, 30, 30, 30])).toEqual({ result: 'undecided' });
    expect(judge([])).toEqual({ result: 'undecided' });
  });

  it('load cell creeps with heat (HX711 libraries’ issues): within the tolerance there is no alert', () => {
    const creep = fc.array(fc.double({ min: 0.95, max: 1.05, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(creep, fc.integer({ min: 0, max: 200 }), (shares, count) => {
        const warm = closings(
          shares.map((share) => share * count),
          count,
        );
        expect(judgeCount(warm, PILL).result).not.toBe('differs');
      }),
    );
  });

  const many = fc
    .array(fc.double({ min: 15, max: 25, noNaN: true }), { maxLength: 30 })
    .map((pills) => closings(pills));

  it('does not depend on the order in which the closings are given', () => {
    fc.assert(
      fc.property(many, fc.func(fc.nat()), (weighings, shuffle) => {
        const shuffled = weighings.toSorted((one, other) => shuffle(one) - shuffle(other));
        expect(judgeCount(shuffled, PILL)).toEqual(judgeCount(weighings, PILL));
      }),
    );
  });

  it('one weighing alone never begins it and never ends it', () => {
    const any = fc.double({ min: 0, max: 60, noNaN: true });
    const last = ([weighing]: Weighing[], hour: number): Weighing => ({
      ...weighing!,
      time: new Date(START + hour * HOUR_MS),
    });
    fc.assert(
      fc.property(many, any, (weighings, pills) => {
        const agreed = [...weighings, last(closings([20]), 40), last(closings([20]), 41)];
        expect(judgeCount([...agreed, last(closings([pills]), 42)], PILL).result).not.toBe('differs');
      }),
    );
    const off = fc.array(fc.double({ min: 0, max: 18.4, noNaN: true }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(off, any, (pillsByWeight, pills) => {
        expect(judge([...AGREED, ...pillsByWeight, pills])).toEqual(differsSince(5));
      }),
    );
  });
});
