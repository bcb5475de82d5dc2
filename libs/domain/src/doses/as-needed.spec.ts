import fc from 'fast-check';
import { asNeededAt, countAsNeeded, overLimits } from './as-needed.js';
import type { Removal } from './match.js';
import { at, rearranged, removal, removals, version } from './testing.js';

const NEEDED = { kind: 'as_needed', max_per_day: 2, pills_per_dose: 2 };

function over(taken: Removal[], schedule: object = NEEDED) {
  const versions = [version(schedule)];
  return overLimits({ versions, periods: [], removals: taken }).map(({ removal_id, pills, reason }) => [
    removal_id,
    pills,
    reason,
  ]);
}

describe('overLimits', () => {
  it('counts any 24 hours, not a calendar day (MedTimer#992)', () => {
    const taken = [removal('a', '2025-06-01T23:50Z', 4), removal('b', '2025-06-02T00:10Z', 4)];
    expect(over(rearranged(taken, 1))).toEqual([['b', 4, 'over_daily_limit']]);
  });

  it.each([
    ['exactly 24 hours later', '2025-06-02T08:00:00Z', [['b', 1, 'over_daily_limit']]],
    ['a moment after them', '2025-06-02T08:00:00.001Z', []],
  ])('a pill %s', (_case, time, expected) => {
    expect(over([removal('a', '2025-06-01T08:00Z', 4), removal('b', time)])).toEqual(expected);
  });

  it('calls only what goes over the limit extra, and counts it for what follows', () => {
    const taken = [
      removal('a', '2025-06-01T08:00Z', 3),
      removal('b', '2025-06-01T09:00Z', 2),
      removal('c', '2025-06-02T08:30Z', 2),
      removal('d', '2025-06-02T08:31Z', 1),
    ];
    expect(over(taken)).toEqual([
      ['b', 1, 'over_daily_limit'],
      ['d', 1, 'over_daily_limit'],
    ]);
  });

  it.each([
    ['a moment too soon', '12:59:59.999', [['b', 2, 'under_min_interval']]],
    ['after exactly the shortest time', '13:00', []],
  ])('a dose %s', (_case, time, expected) => {
    const taken = [removal('a', '2025-06-01T09:00Z', 2), removal('b', `2025-06-01T${time}Z`, 2)];
    expect(over(taken, { ...NEEDED, min_interval: '4h' })).toEqual(expected);
  });

  it('two parts of a dose are one dose, however soon one follows the other', () => {
    const parts = ['09:00', '09:05', '09:10'].map((time) => removal(time, `2025-06-01T${time}Z`));
    expect(over(parts, { ...NEEDED, min_interval: '4h' })).toEqual([['09:10', 1, 'under_min_interval']]);
  });

  it('judges by the version in effect, and counts what was removed before it', () => {
    const versions = [version({ ...NEEDED, max_per_day: 9 }), version(NEEDED, 'UTC', '2025-06-01T12:00Z')];
    const taken = [removal('before', '2025-06-01T11:00Z', 9), removal('after', '2025-06-01T13:00Z', 1)];
    expect(overLimits({ versions, periods: [], removals: taken })).toMatchObject([
      { removal_id: 'after', pills: 1 },
    ]);
  });

  it('pills in the window of an older dose are as needed, unless that dose lacks them', () => {
    const versions = [
      version({ kind: 'times_of_day', times: ['08:00'], pills_per_dose: 2 }),
      version(NEEDED, 'UTC', '2025-06-01T09:00Z'),
    ];
    const taken = [
      removal('dose', '2025-06-01T08:00Z', 2),
      removal('needed', '2025-06-01T10:00Z', 4),
      removal('over', '2025-06-01T11:00Z', 1),
    ];
    expect(overLimits({ versions, periods: [], removals: taken })).toMatchObject([{ removal_id: 'over' }]);
  });

  it('does not depend on order or repetition', () => {
    fc.assert(
      fc.property(removals, fc.nat(50), (taken, seed) => {
        const schedule = { ...NEEDED, min_interval: '3h' };
        expect(over(rearranged(taken, seed), schedule)).toEqual(over(taken, schedule));
      }),
    );
  });
});

it('countAsNeeded counts the pills of the last 24 hours, both ends included', () => {
  const versions = [version(NEEDED)];
  const taken = ['2025-06-01T07:59:59Z', '2025-06-01T08:00Z', '2025-06-02T08:00Z', '2025-06-02T08:01Z'];
  const given = { versions, periods: [], removals: taken.map((time) => removal(time, time, 3)) };
  const now = at('2025-06-02T08:00Z');
  expect(countAsNeeded(asNeededAt(versions, now)!, given, now)).toEqual({
    since: at('2025-06-01T08:00Z'),
    pills_taken: 6,
    doses: 3,
    max_pills: 4,
    extra_pills: 2,
  });
});
