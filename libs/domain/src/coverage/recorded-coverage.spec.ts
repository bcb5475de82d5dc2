import type { ProcessSpan, TimeSpan } from './coverage.js';
import { RecordedCoverage } from './recorded-coverage.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 2, 2, 8, 0, second));
const span = (from: number, until: number): TimeSpan => ({ from: at(from), until: at(until) });
const BEAT = 10;
const recorded = (spans: TimeSpan[], now: number): RecordedCoverage =>
  new RecordedCoverage(spans, { since: at(0), now: at(now) }, BEAT * 1_000);

describe('a process whose clock is ahead', () => {
  const spans = [span(0, 300)];

  it.each([
    [300, 300, 300],
    [310, 310, 310],
    [315, 310, 315],
    [320, 310, 320],
    [330, 310, 320],
    [480, 310, 320],
  ])('at %d s, with the last beat at 300 s: recorded until %d s, due by %d s', (now, until, dueBy) => {
    const { until: upTo, dueBy: due } = recorded(spans, now);
    expect([upTo, due]).toEqual([at(until), at(dueBy)]);
  });

  it('moves a deadline by what is missing from what was listened, not by its clock', () => {
    expect(recorded(spans, 480).after(60_000)).toEqual(at(370));
    expect(recorded(spans, 480).since(at(200))).toBe(110_000);
  });

  it('moves none to a moment that it would examine again in the same sweep', () => {
    expect(recorded(spans, 319).after(5_000)).toEqual(at(320));
  });
});

describe('one of two device-apis', () => {
  const by = (listener: string, from: number, until: number, more: object = {}): ProcessSpan => ({
    ...span(from, until),
    listener,
    ...more,
  });

  it.each([
    ['whose beat is hardly late: all but the latest is recorded', 313, 310, 313],
    ['that is late: nothing since its last beat but one is judged', 390, 310, 320],
    ['that does not return: after 2 minutes it holds nobody any more', 420, 420, 420],
  ])('%s', (_, now, until, dueBy) => {
    const coverage = recorded([by('a', 0, 300), by('b', 0, now)], now);
    expect([coverage.until, coverage.dueBy]).toEqual([at(until), at(dueBy)]);
    expect(coverage.hasGap(at(300), at(now))).toBe(true);
    expect(coverage.since(at(300))).toBe((now === 420 ? 10 : until - 300) * 1_000);
  });

  it('that was frozen leaves a gap until it beats again, and a stop in an orderly way none', () => {
    const other = by('b', 0, 400);
    const frozen = recorded([by('a', 0, 300), by('a', 370, 400), other], 400);
    expect([frozen.until, frozen.since(at(200))]).toEqual([at(400), 140_000]);
    const stopped = recorded([by('a', 0, 300, { ended: true }), other], 400);
    expect([stopped.until, stopped.since(at(200))]).toEqual([at(400), 200_000]);
  });

  it('that is in doubt as another one becomes so leaves one gap', () => {
    const coverage = recorded([by('a', 0, 100), by('b', 0, 150), by('c', 0, 400)], 400);
    expect(coverage.since(at(0))).toBe((400 - (270 - 110)) * 1_000);
    expect(coverage.coveredFrom(at(300), 40_000)).toEqual(at(100));
  });
});

it('without a beat nothing is due', () => expect(recorded([], 300).dueBy).toEqual(new Date(20_000)));

describe('missingGrace', () => {
  const OPENED = 100;
  const DUE = 400;
  const GRACE = 120;
  const missing = (spans: TimeSpan[], now: number): number =>
    recorded(spans, now).missingGrace(at(OPENED), at(DUE), GRACE * 1_000) / 1_000;

  it.each<[string, TimeSpan[], number, number]>([
    ['no gap since the opening: nothing, however short we have listened before', [span(99, 400)], 400, 0],
    ['a gap before the opening: nothing', [span(0, 50), span(100, 400)], 400, 0],
    ['a gap long before it is due: nothing', [span(0, 110), span(140, 400)], 400, 0],
    ['a gap that ended 30 s before: 90 s more', [span(0, 300), span(370, 400)], 400, 90],
    ['and 1 s short of enough: 1 s more', [span(0, 300), span(370, 489)], 489, 1],
    ['and just enough: nothing', [span(0, 300), span(370, 490)], 490, 0],
    ['a deadline that a late beat has not reached: until then', [span(0, 385)], 398, 5],
    ['a short gap after it is due: nothing', [span(0, 401), span(500, 505)], 505, 0],
    ['a gap as long as the grace after it is due: all of it', [span(0, 401), span(531, 536)], 536, 115],
    [
      'short gaps after a gap before it is due: they interrupt, and do not begin again',
      [span(0, 300), span(370, 400), span(450, 470), span(500, 520)],
      520,
      GRACE - 40 - 30 - 20,
    ],
  ])('%s', (_, spans, now, expected) => expect(missing(spans, now)).toBe(expected));
});

describe('between two moments', () => {
  const coverage = recorded([span(0, 90), span(200, 300), span(340, 390)], 400);

  it.each([
    [0, 100, 100, false],
    [0, 101, 100, true],
    [50, 250, 100, true],
    [210, 305, 95, false],
    [150, 350, 120, true],
    [100, 200, 0, true],
    [200, 310, 110, false],
  ])('from %d s to %d s: %d s listened, a gap: %s', (from, to, seconds, gap) => {
    expect(coverage.listened(at(from), at(to))).toBe(seconds * 1_000);
    expect(coverage.hasGap(at(from), at(to))).toBe(gap);
  });

  it('the time before what was read counts as listened', () => {
    const read = new RecordedCoverage([span(200, 400)], { since: at(150), now: at(400) }, 0);
    expect(read.since(at(100))).toBe(250_000);
    expect(RecordedCoverage.unbroken(at(400)).since(at(100))).toBe(300_000);
    expect(RecordedCoverage.unbroken(at(400)).hasGap(at(0), at(400))).toBe(false);
  });
});

it.each([
  [400, 50, 350],
  [400, 60, 340],
  [400, 100, 260],
  [400, 160, 200],
  [400, 170, 80],
  [320, 10, 290],
])('at %d s we had listened for %d s since %d s', (moment, listened, from) => {
  const coverage = recorded([span(0, 80), span(200, 290), span(340, 390)], 400);
  expect(coverage.coveredFrom(at(moment), listened * 1_000)).toEqual(at(from));
});
