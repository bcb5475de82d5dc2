import { HOUR_MS } from '../time/durations.js';
import fc from 'fast-check';
import { type DoseOutcome, judgeNotMonitored, judgeSlots } from './judge.js';
import {
  endsAt,
  isSilenceHeld,
  notMonitoredUntil,
  PERIOD_REASONS,
  PERIOD_RULES,
  periodAt,
  periodsKnownAt,
  removalIn,
  type UnmonitoredPeriod,
} from './periods.js';
import { chainStart, slotsBetween, slotsNotMonitored } from './slots.js';
import { at, removal, version } from './testing.js';

const START = Date.parse('2026-03-02T00:00:00Z');
const hour = (hours: number): Date => new Date(START + hours * HOUR_MS);
const period = (from: number, to: number | undefined, more: Partial<UnmonitoredPeriod> = {}) => ({
  reason: 'travel' as const,
  from: hour(from),
  ...(to !== undefined && { to: hour(to) }),
  ...more,
});

describe('a period without monitoring', () => {
  it('has its beginning and not its end, and may have no end', () => {
    const periods = [period(1, 2), period(5, undefined)];
    const found = [0.99, 1, 1.99, 2, 5, 9_999].map((each) => periodAt(periods, hour(each))?.from);
    expect(found).toEqual([undefined, hour(1), hour(1), undefined, hour(5), hour(5)]);
  });

  it('from before it was noted when one is entered was entered at its beginning, also if that was changed since', () => {
    const before = { from: hour(5), to: hour(20), until: hour(8) };
    const changed = { ...period(10, 20), changed_at: hour(8), earlier: [before] };
    expect(periodsKnownAt([changed], hour(6))).toEqual([before]);
    expect(periodsKnownAt([changed], hour(9))).toEqual([]);
    expect(periodsKnownAt([period(5, 20)], hour(4))).toEqual([]);
  });

  it('is the one that begins last, of several', () => {
    expect(periodAt([period(2, 9), period(1, 10)], hour(3))?.from).toEqual(hour(2));
  });

  it('lasts until the end of those that follow it without a gap', () => {
    const periods = [period(4, 6), period(1, 4), period(8, undefined)];
    expect(notMonitoredUntil(periods, hour(1))).toBe(+hour(6));
    expect(notMonitoredUntil(periods, hour(7))).toBeUndefined();
    expect(notMonitoredUntil(periods, hour(8))).toBe(Infinity);
  });

  it.each([
    ['in a period', 5, [period(4, 6)], undefined, true],
    ['less than the time of a silence after its end', 6.99, [period(4, 6)], undefined, true],
    ['no more when a silence is as long', 7, [period(4, 6)], undefined, false],
    ['after a period that was removed', 6.5, [], hour(6), true],
    ['no more long after that', 7, [period(1, 2)], hour(6), false],
    ['not by one that begins later, or by none', 5, [period(6, 7)], undefined, false],
  ] as const)('a silence is held %s', (_, hours, periods, noted, isHeld) => {
    expect(isSilenceHeld(periods, noted, HOUR_MS, hour(hours))).toBe(isHeld);
  });

  it.each(PERIOD_REASONS)('says what a removal is: %s', (reason) => {
    const periods = [period(1, 9, { reason })];
    const isExtra = (hours: number) => removalIn(periods, hour(hours))?.isExtra;
    const { removals } = PERIOD_RULES[reason];
    expect([isExtra(0.5), isExtra(9)]).toEqual([undefined, undefined]);
    expect([isExtra(1), isExtra(2), isExtra(2.001)]).toEqual(
      { extra: [true, true, true], not_judged: [false, false, false], filling: [false, false, true] }[
        removals
      ],
    );
  });
});

describe('doses in periods', () => {
  const versions = [version({ kind: 'times_of_day', times: ['08:00', '20:00'] })];
  const now = hour(10 * 24);

  /** As a notifier judges the whole history. */
  function outcomes(
    periods: readonly UnmonitoredPeriod[],
    removed: readonly { hours: number; pills: number }[],
    contacts: readonly number[],
  ): Map<number, DoseOutcome> {
    const from = chainStart(versions, periods, hour(0));
    const { slots } = judgeSlots({
      slots: slotsBetween(versions, periods, from, now),
      removals: removed.map(({ hours, pills }) => ({
        ...removal(String(hours), hour(hours).toISOString(), pills),
        time: hour(hours),
      })),
      contacts: contacts.map(hour),
      now,
      silent_after_ms: HOUR_MS,
    });
    const unmonitored = slotsNotMonitored(versions, periods, from, now);
    const all = [...slots, ...unmonitored.map((slot) => judgeNotMonitored(slot, periods))];
    return new Map(
      all
        .filter(({ slot }) => slot.scheduled_at >= hour(0))
        .map(({ slot, outcome }) => [slot.scheduled_at.getTime(), outcome!] as const)
        .sort(([one], [other]) => one - other),
    );
  }

  const hours = fc.integer({ min: 0, max: 4 * 240 }).map((quarters) => quarters / 4);
  const facts = fc.record({
    periods: fc.array(
      fc
        .record({
          from: hours,
          lasts: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
          reason: fc.constantFrom(...PERIOD_REASONS),
        })
        .map(({ from, lasts, reason }) =>
          period(from, lasts === undefined ? undefined : from + lasts, { reason }),
        ),
      { maxLength: 4 },
    ),
    removed: fc.uniqueArray(fc.record({ hours, pills: fc.integer({ min: 1, max: 3 }) }), {
      maxLength: 30,
      selector: ({ hours: each }) => each,
    }),
    contacts: fc.uniqueArray(hours, { maxLength: 200 }),
  });

  it('the outcomes are a function of the sets of periods, removals and contacts: order changes nothing', () => {
    fc.assert(
      fc.property(facts, fc.infiniteStream(fc.nat()), ({ periods, removed, contacts }, keys) => {
        const shuffled = <T>(list: readonly T[]): T[] =>
          list
            .map((each) => ({ each, key: keys.next().value as number }))
            .sort((one, other) => one.key - other.key)
            .map(({ each }) => each);
        const expected = outcomes(periods, removed, contacts);
        expect(outcomes(shuffled(periods), shuffled(removed), shuffled(contacts))).toEqual(expected);
      }),
    );
  });

  it('every dose has one outcome, and those in a period, and no others, are not monitored', () => {
    const due = slotsBetween(versions, [], hour(0), now).map(({ scheduled_at }) => scheduled_at.getTime());
    fc.assert(
      fc.property(facts, ({ periods, removed, contacts }) => {
        const found = outcomes(periods, removed, contacts);
        expect([...found.keys()]).toEqual(due);
        for (const [slot, outcome] of found) {
          const isIn = periods.some((each) => +each.from <= slot && slot < endsAt(each));
          expect(outcome === 'not_monitored').toBe(isIn);
        }
      }),
    );
  });

  it('are judged as ever outside them', () => {
    const all = outcomes([period(24, 48)], [{ hours: 8, pills: 1 }], [12.1]);
    expect(all.get(+at('2026-03-02T08:00Z'))).toBe('taken_on_time');
    expect(all.get(+at('2026-03-03T08:00Z'))).toBe('not_monitored');
    expect(all.get(+at('2026-03-04T08:00Z'))).toBe('unknown');
  });
});
