import {
  continuesCoverage,
  coverageGaps,
  coverageInterval,
  doubtfulTimes,
  type ProcessSpan,
  type TimeSpan,
} from './coverage.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 2, 8, minute));
const span = (from: number, until: number): TimeSpan => ({ from: at(from), until: at(until) });
/** How many minutes the gaps leave. */
const minutes = (spans: TimeSpan[], from: number, to: number, beat = 0): number =>
  coverageGaps(spans, at(from), at(to), beat * 60_000).reduce(
    (rest, gap) => rest - (gap.until - gap.from) / 60_000,
    to - from,
  );

describe('coverageGaps', () => {
  it.each<[string, TimeSpan[], number]>([
    ['nobody', [], 0],
    ['one, all the time', [span(-10, 90)], 60],
    ['one that came late and left early', [span(10, 40)], 30],
    ['one that left before', [span(-30, 0)], 0],
    ['one that came after', [span(60, 70)], 0],
    ['two side by side', [span(0, 40), span(20, 60)], 60],
    ['two at the same time', [span(0, 30), span(0, 30)], 30],
    ['one within another', [span(0, 60), span(20, 30)], 60],
    ['two with our outage between', [span(0, 20), span(50, 60)], 30],
    ['three, in no order', [span(40, 50), span(0, 10), span(20, 30)], 30],
    ['one that ended as the next began', [span(0, 30), span(30, 60)], 60],
    ['a span that was only begun', [span(30, 30)], 0],
  ])('%s', (_, spans, listened) => expect(minutes(spans, 0, 60)).toBe(listened));

  it('takes a listener to have lasted until its next beat, and not beyond what was asked', () => {
    expect(minutes([span(0, 20)], 0, 60, 5)).toBe(25);
    expect(minutes([span(0, 58)], 0, 60, 5)).toBe(60);
    expect(minutes([span(0, 20), span(23, 40)], 0, 60, 5)).toBe(45);
  });

  it('is nothing in no time', () => expect(minutes([span(0, 60)], 30, 30)).toBe(0));
});

describe('coverageInterval', () => {
  it.each([
    [3_600_000, 10_000],
    [60_000, 5_000],
    [5_000, 417],
    [1, 1],
  ])('for a silence of %d ms is %d ms: many times within it, at least every 10 s', (silence, beat) =>
    expect(coverageInterval(silence)).toBe(beat),
  );
});

describe('continuesCoverage', () => {
  const seconds = (count: number): Date => new Date(at(0).getTime() + count * 1_000);

  it.each([
    [10, true],
    [20, true],
    [20.001, false],
    [75, false],
    [0, true],
    [-1, false],
  ])('a beat %d s after the last one, with one due every 10 s: %s', (later, continues) =>
    expect(continuesCoverage({ from: at(-5), until: at(0) }, seconds(later), 10_000)).toBe(continues),
  );
});

describe('doubtfulTimes', () => {
  const second = (count: number): Date => new Date(at(0).getTime() + count * 1_000);
  const of = (
    listener: string,
    from: number,
    until: number,
    more: Partial<ProcessSpan> = {},
  ): ProcessSpan => ({
    listener,
    from: second(from),
    until: second(until),
    ...more,
  });

  it.each<[string, ProcessSpan[], [number, number][]]>([
    ['nobody', [], []],
    ['one that never beats again: for 2 minutes since its last beat', [of('a', 0, 30)], [[40, 150]]],
    [
      'one that was frozen for 75 s',
      [of('a', 0, 30), of('a', 105, 600)],
      [
        [40, 105],
        [610, 720],
      ],
    ],
    ['one that was frozen beside another', [of('a', 0, 30), of('b', 0, 600, { ended: true })], [[40, 150]]],
    ['one whose place another process took', [of('a', 0, 30), of('a', 35, 600, { ended: true })], []],
    ['one that stopped in an orderly way', [of('a', 0, 30, { ended: true })], []],
    ['one that was down for longer', [of('a', 0, 30), of('a', 200, 600, { ended: true })], [[40, 150]]],
    ['one of a version that did not say which it was', [{ from: second(0), until: second(30) }], []],
  ])('%s', (_, spans, expected) =>
    expect(doubtfulTimes(spans, 10_000)).toEqual(
      expected.map(([from, until]) => ({ from: second(from).getTime(), until: second(until).getTime() })),
    ),
  );
});
