import type { Value } from '../tiers/tiers.js';
import { averages, chartOf, sumColumns, typicalSpacing } from './columns.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 0, minute));
const boundaries = [at(0), at(5), at(10), at(15)];

it('adds up by step, takes 0 for 0 and a gap for a gap', () => {
  const values: Value[] = [
    { at: at(0), counts: { opened: 1 } },
    { at: at(4), counts: { opened: 2, closed: 1 } },
    { at: at(10), counts: {} },
    { at: at(15), counts: { opened: 100 } },
    { at: at(-1), counts: { opened: 100 } },
  ];
  expect(sumColumns(boundaries, values, ['opened', 'closed'])).toEqual([
    [3, null, 0],
    [1, null, 0],
  ]);
});

it('weighs an average by its samples and not by its parts', () => {
  const [average, least, greatest] = averages(boundaries, [
    { at: at(0), num_samples: 9, total: 900, min: 90, max: 110 },
    { at: at(1), num_samples: 1, total: 0, min: 0, max: 0 },
    { at: at(12), num_samples: 2, total: 7, min: 3, max: 4 },
  ]);
  expect(average).toEqual([90, null, 3.5]);
  expect(least).toEqual([0, null, 3]);
  expect(greatest).toEqual([110, null, 4]);
});

it('knows how far apart samples usually are', () => {
  const samples = [0, 30, 60, 61, 91].map((minute) => ({
    at: at(minute),
    num_samples: 1,
    total: 1,
    min: 1,
    max: 1,
  }));
  expect(typicalSpacing(samples)).toBe(30 * 60_000);
  expect(typicalSpacing(samples.slice(0, 1))).toBe(0);
});

it('says where the first point begins that may still grow', () => {
  const layout = { step: '5m' as const, timeZone: 'UTC', boundaries };
  const until = (counted: Date): Date => chartOf(layout, [], [], counted).complete_until;
  expect(until(at(9))).toEqual(at(5));
  expect(until(at(10))).toEqual(at(10));
  expect(until(at(99))).toEqual(at(15));
  expect(until(at(-1))).toEqual(at(0));
});
