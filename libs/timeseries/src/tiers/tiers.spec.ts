import {
  collectionOf,
  collectionsAhead,
  FAMILIES,
  type FamilyName,
  isExpired,
} from '../collections/ranged-collections.js';
import { slotOf, tiersOf, timeOfSlot } from './tiers.js';

const date = (text: string): Date => new Date(`${text}Z`);

it.each([
  ['1m', '2026-03-01T10:00', 37],
  ['5m', '2026-03-01T10:00', 35],
  ['1h', '2026-03-01T00:00', 10],
  ['1d', '2026-01-01T00:00', 59],
] as const)('%s has its own document and field', (tier, start, field) => {
  const slot = slotOf(tier, date('2026-03-01T10:37:59.999'));
  expect(slot).toEqual({ start: date(start), field });
  expect(slotOf(tier, timeOfSlot(tier, slot))).toEqual(slot);
});

it.each([
  ['2026-03-01T00:00:00', '2026-03-03T23:59:59', '1m'],
  ['2026-03-01T23:59:59', '2026-03-04T00:00:00', '1h'],
  ['2026-03-01T00:00:00', '2026-06-01T23:59:59', '1h'],
  ['2026-03-31T23:59:59', '2026-06-02T00:00:00', '1d'],
] as const)('what happened at %s is counted at %s by %s', (at, now, tier) => {
  expect(tiersOf(date(at), date(now))[0]).toBe(tier);
});

describe.each(Object.keys(FAMILIES) as FamilyName[])('the collections of %s', (family) => {
  const at = date('2026-03-31T23:59:59');
  const kept = FAMILIES[family].kept;

  it('are dropped some hours after their range is past keeping, and not before', () => {
    const name = collectionOf(family, at);
    const end = date('2026-04-01T00:00:00').getTime();
    expect(isExpired(name, new Date(end + kept))).toBe(false);
    expect(isExpired(name, new Date(end + kept + 6 * 3_600_000 - 1))).toBe(false);
    expect(isExpired(name, new Date(end + kept + 6 * 3_600_000))).toBe(true);
  });

  it('are made ahead', () => {
    expect(collectionsAhead(family, at)).toEqual([
      collectionOf(family, at),
      collectionOf(family, date('2026-04-01T00:00:00')),
    ]);
  });
});

it.each([
  'ts_1d',
  'ts_taken',
  'ts_marks',
  'ts_1m_2026',
  'ts_1m_202603',
  'ts_1m_20269999',
  'bottles_20200101',
  'xts_1m_20200101',
])('never takes %s for an expired collection', (name) =>
  expect(isExpired(name, date('2036-01-01T00:00:00'))).toBe(false),
);
