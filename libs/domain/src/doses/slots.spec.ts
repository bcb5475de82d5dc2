import fc from 'fast-check';
import { chainStart } from './slots.js';
import type { UnmonitoredPeriod } from './periods.js';
import type { ScheduleVersion } from './schedule.js';
import { nextSlotAfter, slotsBetween } from './slots.js';
import { at, instants, moments, schedules, version, ZONES } from './testing.js';

const DAILY = { kind: 'times_of_day', times: ['08:00'] };

function due(versions: ScheduleVersion[], from: string, to: string, periods: UnmonitoredPeriod[] = []) {
  return instants(slotsBetween(versions, periods, at(from), at(to)));
}

describe('daylight saving: gap forward, overlap once (MedTimer#56, #561, #943)', () => {
  it('two times that the gap moves onto one instant are one slot of both amounts', () => {
    const night = { kind: 'times_of_day', times: ['02:30', '03:30'], pills_per_dose: 2 };
    const versions = [version(night, 'America/New_York')];
    const day = (date: string) =>
      slotsBetween(versions, [], at(`${date}T04:00Z`), at(`${date}T12:00Z`)).map(
        ({ scheduled_at, pills }) => [scheduled_at.toISOString().slice(11, 16), pills],
      );
    expect(day('2025-03-09')).toEqual([['07:30', 4]]);
    expect(day('2025-03-10')).toEqual([
      ['06:30', 2],
      ['07:30', 2],
    ]);
  });

  it.each([
    ['America/New_York', 'gap', '2025-03-09', ['02:30'], ['2025-03-09T07:30:00.000Z']],
    ['America/New_York', 'overlap', '2025-11-02', ['01:30'], ['2025-11-02T05:30:00.000Z']],
    ['America/New_York', 'day of the gap', '2025-03-09', ['08:00'], ['2025-03-09T12:00:00.000Z']],
    [
      'America/New_York',
      'two times of one instant',
      '2025-03-09',
      ['02:30', '03:30'],
      ['2025-03-09T07:30:00.000Z'],
    ],
    ['Europe/Berlin', 'gap', '2025-03-30', ['02:30'], ['2025-03-30T01:30:00.000Z']],
    ['Europe/Berlin', 'overlap', '2025-10-26', ['02:30'], ['2025-10-26T00:30:00.000Z']],
    ['Australia/Lord_Howe', 'gap of half an hour', '2024-10-06', ['02:15'], ['2024-10-05T15:45:00.000Z']],
    ['Australia/Lord_Howe', 'overlap of half an hour', '2024-04-07', ['01:45'], ['2024-04-06T14:45:00.000Z']],
    ['Asia/Kolkata', 'no change, half-hour offset', '2025-03-30', ['02:30'], ['2025-03-29T21:00:00.000Z']],
    ['America/Sao_Paulo', 'gap at midnight', '2018-11-04', ['00:00'], ['2018-11-04T03:00:00.000Z']],
    ['America/Sao_Paulo', 'gap at midnight', '2018-11-04', ['00:30'], ['2018-11-04T03:30:00.000Z']],
    ['America/Sao_Paulo', 'overlap at midnight', '2018-02-17', ['23:30'], ['2018-02-18T01:30:00.000Z']],
    ['America/Nuuk', 'gap up to midnight', '2024-03-30', ['23:30'], ['2024-03-31T01:30:00.000Z']],
    ['Pacific/Apia', 'a day that does not exist', '2011-12-30', ['08:00'], []],
    ['Pacific/Apia', 'the day after it', '2011-12-31', ['08:00'], ['2011-12-30T18:00:00.000Z']],
  ])('%s, %s: %s %j', (zone, _case, day, times, expected) => {
    const only = { kind: 'times_of_day', times, cycle: { days_on: 1, days_off: 300, anchor: day } };
    const from = new Date(at(day).getTime() - 3 * 86_400_000).toISOString();
    const to = new Date(at(day).getTime() + 4 * 86_400_000).toISOString();
    expect(due([version(only, zone)], from, to)).toEqual(expected);
  });

  it.each(ZONES)('%s: over a year one slot on each local day that exists', (zone) => {
    const year = due([version(DAILY, zone)], '2011-01-03T12:00Z', '2012-01-03T12:00Z');
    expect(year).toHaveLength(365);
    expect(new Set(year).size).toBe(year.length);
  });

  it('Pacific/Apia: 28, 29, 31 December 2011, 24 hours apart', () => {
    expect(due([version(DAILY, 'Pacific/Apia')], '2011-12-28T00:00Z', '2011-12-31T12:00Z')).toEqual([
      '2011-12-28T18:00:00.000Z',
      '2011-12-29T18:00:00.000Z',
      '2011-12-30T18:00:00.000Z',
    ]);
  });

  it('America/Nuuk: a time moved past midnight is found by a range that begins after midnight', () => {
    const evening = { kind: 'times_of_day', times: ['23:30'] };
    expect(due([version(evening, 'America/Nuuk')], '2024-03-31T01:00Z', '2024-03-31T02:00Z')).toEqual([
      '2024-03-31T01:30:00.000Z',
    ]);
  });

  it('an interval goes on by elapsed time', () => {
    const every = { kind: 'interval', every: '8h', anchor: '2025-03-09T01:00:00-05:00' };
    expect(due([version(every, 'America/New_York')], '2025-03-09T00:00Z', '2025-03-10T00:00Z')).toEqual([
      '2025-03-09T06:00:00.000Z',
      '2025-03-09T14:00:00.000Z',
      '2025-03-09T22:00:00.000Z',
    ]);
  });

  it('a cycle counts calendar days across the clock change', () => {
    const cycle = { days_on: 2, days_off: 1, anchor: '2025-03-29' };
    expect(
      due([version({ ...DAILY, cycle }, 'Europe/Berlin')], '2025-03-27T00:00Z', '2025-04-02T00:00Z'),
    ).toEqual(['2025-03-29T07:00:00.000Z', '2025-03-30T06:00:00.000Z', '2025-04-01T06:00:00.000Z']);
  });

  it('travel: the same wall-clock time in the zone of the version that holds (MedTimer#759)', () => {
    const home = version(DAILY, 'Europe/Berlin');
    const abroad = version(DAILY, 'America/New_York', '2025-06-02T00:00Z');
    expect(due([abroad, home], '2025-06-01T00:00Z', '2025-06-03T00:00Z')).toEqual([
      '2025-06-01T06:00:00.000Z',
      '2025-06-02T12:00:00.000Z',
    ]);
  });
});

describe('slotsBetween', () => {
  it('takes days of week by the local day', () => {
    const mondays = { kind: 'times_of_day', times: ['00:30'], days_of_week: ['mon'] };
    expect(due([version(mondays, 'Asia/Kolkata')], '2025-06-01T00:00Z', '2025-06-10T00:00Z')).toEqual([
      '2025-06-01T19:00:00.000Z',
      '2025-06-08T19:00:00.000Z',
    ]);
  });

  it('includes its beginning and not its end, and carries the windows', () => {
    const slots = slotsBetween([version(DAILY)], [], at('2025-06-01T08:00Z'), at('2025-06-02T08:00Z'));
    expect(slots).toEqual([
      {
        scheduled_at: at('2025-06-01T08:00Z'),
        early_from: at('2025-06-01T06:00Z'),
        late_at: at('2025-06-01T09:00Z'),
        missed_at: at('2025-06-01T12:00Z'),
        pills: 1,
      },
    ]);
  });

  it('has nothing before the anchor of an interval or a cycle, and nothing as needed', () => {
    const every = { kind: 'interval', every: '8h', anchor: '2025-06-01T08:00:00Z' };
    const cycle = { days_on: 2, days_off: 2, anchor: '2025-06-02' };
    const range = ['2025-05-25T00:00Z', '2025-06-01T09:00Z'] as const;
    expect(due([version(every)], ...range)).toEqual(['2025-06-01T08:00:00.000Z']);
    expect(due([version({ ...DAILY, cycle })], ...range)).toEqual([]);
    expect(due([version({ kind: 'as_needed', max_per_day: 2 })], ...range)).toEqual([]);
  });

  it('a pause takes out its beginning and not its end (MediTrak#130)', () => {
    const pause = { from: at('2025-06-02T08:00Z'), to: at('2025-06-04T08:00Z') };
    const overlapping = { from: at('2025-06-03T00:00Z'), to: at('2025-06-03T12:00Z') };
    expect(due([version(DAILY)], '2025-06-01T00:00Z', '2025-06-05T00:00Z', [overlapping, pause])).toEqual([
      '2025-06-01T08:00:00.000Z',
      '2025-06-04T08:00:00.000Z',
    ]);
  });

  const versions = fc
    .array(
      fc.record({ effective_from: moments, time_zone: fc.constantFrom(...ZONES), schedule: schedules }),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((list) => [...new Map(list.map((one) => [one.effective_from.getTime(), one])).values()]);

  it('is ordered, has each instant once, and does not depend on where a range is cut', () => {
    fc.assert(
      fc.property(versions, moments, moments, moments, (versions, a, b, c) => {
        const from = new Date(Math.min(+a, +b, +c));
        const to = new Date(Math.max(+a, +b, +c));
        const middle = [a, b, c].find((cut) => cut > from && cut < to) ?? from;
        const whole = slotsBetween(versions, [], from, to);
        const times = whole.map((slot) => slot.scheduled_at.getTime());
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        const halves = [
          ...slotsBetween(versions, [], from, middle),
          ...slotsBetween(versions, [], middle, to),
        ];
        expect(halves).toEqual(whole);
        const next = nextSlotAfter(versions, [], from);
        expect(whole.find((slot) => slot.scheduled_at > from) ?? next).toEqual(next);
      }),
    );
  });

  it('editing a schedule changes no slot before effective_from (medassist-ng PR#79, calendula#160)', () => {
    fc.assert(
      fc.property(versions, schedules, moments, (versions, schedule, effective_from) => {
        fc.pre(versions.every((held) => held.effective_from < effective_from));
        const edited = [...versions, { effective_from, time_zone: 'UTC', schedule }];
        const start = at('2011-12-01T00:00Z');
        expect(slotsBetween(edited, [], start, effective_from)).toEqual(
          slotsBetween(versions, [], start, effective_from),
        );
      }),
    );
  });
});

describe('nextSlotAfter', () => {
  it('is strictly after, goes past pauses and days off, and gives up after 400 days', () => {
    const mondays = version({ ...DAILY, days_of_week: ['mon'] });
    expect(nextSlotAfter([mondays], [], at('2025-06-02T08:00Z'))?.scheduled_at).toEqual(
      at('2025-06-09T08:00Z'),
    );
    const pause = { from: at('2025-06-01T00:00Z'), to: at('2026-01-01T00:00Z') };
    expect(nextSlotAfter([mondays], [pause], at('2025-06-02T08:00Z'))?.scheduled_at).toEqual(
      at('2026-01-05T08:00Z'),
    );
    const years = { ...pause, to: at('2030-01-01T00:00Z') };
    expect(nextSlotAfter([mondays], [years], at('2025-06-02T08:00Z'))).toBeUndefined();
    expect(nextSlotAfter([], [], at('2025-06-02T08:00Z'))).toBeUndefined();
  });
});

describe('chainStart', () => {
  it('begins at the slot itself where windows do not overlap', () => {
    expect(chainStart([version(DAILY)], [], at('2025-06-05T09:00Z'))).toEqual(at('2025-06-05T08:00Z'));
  });

  it('follows overlapping windows back to their first slot', () => {
    const every = { kind: 'interval', every: '8h', anchor: '2025-06-01T06:00:00Z', missed_after: '8h' };
    expect(chainStart([version(every)], [], at('2025-06-05T09:00Z'))).toEqual(at('2025-06-01T06:00Z'));
    expect(chainStart([version(every)], [], at('2025-12-05T09:00Z'), 10)).toEqual(at('2025-11-25T09:00Z'));
  });

  it('no window before it reaches into a window from it on', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, moment) => {
        const versions = [{ effective_from: at('2011-12-20T00:00Z'), time_zone: 'Pacific/Apia', schedule }];
        const start = chainStart(versions, [], moment);
        expect(start.getTime()).toBeLessThanOrEqual(moment.getTime() + 86_400_000);
        const before = slotsBetween(versions, [], at('2011-12-20T00:00Z'), start);
        for (const slot of slotsBetween(versions, [], start, at('2012-01-10T00:00Z'))) {
          expect(before.filter((earlier) => earlier.missed_at >= slot.early_from)).toEqual([]);
        }
      }),
    );
  });
});
