import { changes, findRecovery, lowSince } from './battery.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 2, 6, minute));
const readings = (...percents: number[]) =>
  percents.map((percent, minute) => ({ time: at(minute), percent }));

it.each<[string, number[], number | undefined]>([
  ['none', [], undefined],
  ['all low', [14, 13, 14], 0],
  ['the threshold itself is not low', [15, 14], 1],
  ['one that is not low starts the day again', [14, 15, 14, 14], 2],
  ['the last one is not low', [14, 14, 20], undefined],
])('is low since the first low reading after one that is not: %s', (_, percents, minute) => {
  expect(lowSince(readings(...percents), 15)).toEqual(minute === undefined ? undefined : at(minute));
});

it('believes the reading that is not low, of several at one moment', () => {
  const together = [15, 14].map((percent) => ({ time: at(0), percent }));
  expect(lowSince(together, 15)).toBeUndefined();
  expect(lowSince([...together, { time: at(1), percent: 14 }], 15)).toEqual(at(1));
});

it('recovers 10 above the threshold', () => {
  expect(findRecovery(readings(14, 24), 15)).toBeUndefined();
  expect(findRecovery(readings(14, 25, 90), 15)).toEqual({ time: at(1), percent: 25 });
});

it('keeps the readings that differ from the one before, and the last', () => {
  expect(changes(readings(14, 14, 13, 13, 13)).map(({ time }) => time)).toEqual([at(0), at(2), at(4)]);
});
