import type { TimeSpan } from './coverage.js';
import { endOfGap, longGaps } from './long-gaps.js';

const at = (minute: number, seconds = 0): Date => new Date(Date.UTC(2026, 2, 2, 8, minute, seconds));
const span = (from: number, until: number): TimeSpan => ({ from: at(from), until: at(until) });
const RULES = { intervalMs: 10_000, longerThanMs: 10 * 60_000 };

it.each<[string, TimeSpan[], Date, [Date, Date?][]]>([
  ['nothing recorded', [], at(60), []],
  ['covered all the time', [span(0, 60)], at(60), []],
  ['an outage of 5 minutes', [span(0, 20), span(25, 60)], at(60), []],
  ['exactly as long as allowed', [span(0, 20), { from: at(30, 10), until: at(60) }], at(60), []],
  ['a second longer', [span(0, 20), { from: at(30, 11), until: at(60) }], at(60), [[at(20, 10), at(30, 11)]]],
  ['one that another process covers', [span(0, 20), span(10, 40), span(35, 60)], at(60), []],
  ['one of 60 minutes', [span(80, 90), span(0, 20)], at(90), [[at(20, 10), at(80)]]],
  ['one of 300 minutes', [span(0, 20), span(320, 330)], at(330), [[at(20, 10), at(320)]]],
  ['one that lasts, not long enough yet', [span(0, 20)], at(30, 10), []],
  ['one that lasts', [span(0, 20)], at(30, 11), [[at(20, 10)]]],
  ['one that ends now', [span(0, 20), span(40, 40)], at(40), [[at(20, 10), at(40)]]],
  [
    'one that ended, and one that lasts',
    [span(0, 5), span(20, 25)],
    at(60),
    [[at(5, 10), at(20)], [at(25, 10)]],
  ],
])('%s', (_, spans, now, expected) => {
  expect(longGaps(spans, now, RULES).map(({ from, until }) => (until ? [from, until] : [from]))).toEqual(
    expected,
  );
});

it.each<[string, TimeSpan[], Date | undefined]>([
  ['lasts', [span(0, 20)], undefined],
  ['ended after an hour', [span(0, 20), span(80, 90)], at(80)],
  ['ended after a minute, whatever is long', [span(0, 20), span(21, 90)], at(21)],
  ['is followed by another', [span(0, 20), span(30, 40), span(80, 90)], at(30)],
  ['ends now', [span(0, 20), span(90, 90)], at(90)],
  ['was covered after all, as a late beat shows', [span(0, 25), span(80, 90)], at(20, 10)],
  ['is older than every span', [span(80, 90)], at(80)],
])('a gap that %s', (_, spans, expected) => {
  expect(endOfGap(spans, at(20, 10), at(90), RULES.intervalMs)).toEqual(expected);
});
