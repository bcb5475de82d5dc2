import fc from 'fast-check';
import { DAY_MS } from '../time/durations.js';
import { movedDoses, movedTo } from './move.js';
import { presentOf } from './plan.js';
import { slotsBetween } from './slots.js';
import { at, daily, instants, version } from './testing.js';

const OLD = 'Pacific/Honolulu';
const NEW = 'Pacific/Auckland';
const plan = (schedule: object, zone = OLD) => [version(schedule, zone)];
const shown = (versions: ReturnType<typeof plan>, from: string, to: string): string[] =>
  instants(slotsBetween(versions, [], at(from), at(to))).map((text) => text.slice(5, 16));

describe('a move from Honolulu to Auckland, two hours before the time of there', () => {
  const now = at('2026-06-02T19:00Z');
  // 08:00 in Honolulu is 18:00 UTC, in Auckland 20:00 UTC of the day before
  const moved = movedTo(NEW, plan(daily(['08:00'])), now);

  it('leaves out the dose that would be due two hours after the last', () => {
    expect(shown(moved, '2026-06-02T00:00Z', '2026-06-05T00:00Z')).toEqual([
      '06-02T18:00',
      '06-03T20:00',
      '06-04T20:00',
    ]);
  });

  it('shows which doses move to when', () => {
    expect(movedDoses(plan(daily(['08:00'])), moved, now).slice(0, 2)).toEqual([
      { was: at('2026-06-03T18:00Z'), is: at('2026-06-03T20:00Z'), pills: 1 },
      { was: at('2026-06-04T18:00Z'), is: at('2026-06-04T20:00Z'), pills: 1 },
    ]);
    // six hours later are the same dose of the same day
    const berlin = plan(daily(['08:00', '20:00']), 'Europe/Berlin');
    const then = at('2026-01-02T12:00Z');
    expect(movedDoses(berlin, movedTo('America/New_York', berlin, then), then).slice(0, 3)).toEqual([
      { is: at('2026-01-02T13:00Z'), pills: 1 },
      { was: at('2026-01-02T19:00Z'), is: at('2026-01-03T01:00Z'), pills: 1 },
      { was: at('2026-01-03T07:00Z'), is: at('2026-01-03T13:00Z'), pills: 1 },
    ]);
    // also where another dose of there is at the same moment
    const day = plan(daily(['08:00', '14:00']), 'Europe/Berlin');
    expect(movedDoses(day, movedTo('America/New_York', day, then), then).slice(2, 4)).toEqual([
      { was: at('2026-01-03T07:00Z'), is: at('2026-01-03T13:00Z'), pills: 1 },
      { was: at('2026-01-03T13:00Z'), is: at('2026-01-03T19:00Z'), pills: 1 },
    ]);
    // and one that stays at its old time, once, is itself
    const kolkata = plan(daily(['08:00']), 'Asia/Kolkata');
    const before = at('2026-06-02T01:00Z');
    expect(movedDoses(kolkata, movedTo('Asia/Tokyo', kolkata, before), before)[0]).toEqual({
      was: at('2026-06-02T02:30Z'),
      is: at('2026-06-02T02:30Z'),
      pills: 1,
    });
  });

  it('holds as well for a plan that began that day', () => {
    const today = [version(daily(['08:00']), OLD, '2026-06-02T12:00Z')];
    expect(shown(movedTo(NEW, today, now), '2026-06-02T00:00Z', '2026-06-04T00:00Z')).toEqual([
      '06-02T18:00',
      '06-03T20:00',
    ]);
  });

  it('is a planned step until then: the present is still now', () => {
    expect(presentOf(moved, now)).toEqual(now);
  });
});

it('keeps a dose at its old time that would be skipped', () => {
  // 08:00 is past in the new zone, and not yet in the old one
  const moved = movedTo('Asia/Tokyo', plan(daily(['08:00']), 'Asia/Kolkata'), at('2026-06-02T01:00Z'));
  expect(shown(moved, '2026-06-01T00:00Z', '2026-06-04T12:00Z')).toEqual([
    '06-01T02:30',
    '06-02T02:30',
    '06-02T23:00',
    '06-03T23:00',
  ]);
});

it('changes at once where that leaves at least half the gap, exactly half included', () => {
  const moved = movedTo(
    'America/New_York',
    plan(daily(['08:00', '20:00']), 'Europe/Berlin'),
    at('2026-01-02T12:00Z'),
  );
  expect(shown(moved, '2026-01-02T00:00Z', '2026-01-03T00:00Z')).toEqual(['01-02T07:00', '01-02T13:00']);
  expect(moved.at(-1)!.effective_from).toEqual(at('2026-01-02T12:00Z'));
});

it('home time is kept by a zone of its own, and no dose moves', () => {
  const [before, now] = [plan(daily(['08:00'])), at('2026-06-02T19:00Z')];
  const moved = movedTo(NEW, before, now, 'keep_home_time');
  expect(moved).toEqual([{ ...before[0]!, schedule: { ...before[0]!.schedule, time_zone: OLD } }]);
  expect(movedDoses(before, moved, now).every(({ was, is }) => was?.getTime() === is?.getTime())).toBe(true);
});

it('a course has the doses that are left', () => {
  const course = [version(daily(['08:00'], { doses: 4 }), OLD, '2026-06-01T00:00Z')];
  const moved = movedTo(NEW, course, at('2026-06-02T19:00Z'));
  expect(shown(moved, '2026-06-01T00:00Z', '2026-07-01T00:00Z')).toEqual([
    '06-01T18:00',
    '06-02T18:00',
    '06-03T20:00',
    '06-04T20:00',
  ]);
});

it('the last dose of a course whose last day has no more in the new zone stays at its old time', () => {
  const course = [
    version(daily(['08:00'], { until: '2026-10-26' }), 'America/New_York', '2026-10-23T15:00Z'),
  ];
  const moved = movedTo('Europe/Berlin', course, at('2026-10-26T10:16Z'));
  expect(shown(moved, '2026-10-25T00:00Z', '2026-11-20T00:00Z')).toEqual(['10-25T12:00', '10-26T12:00']);
});

it('a course that is over stays over, though the date of its last dose is not over in the new zone', () => {
  const course = [version(daily(['00:10', '12:10'], { doses: 1 }), 'Asia/Kolkata', '2026-03-27T07:00Z')];
  const moved = movedTo('UTC', course, at('2026-03-28T04:00Z'));
  expect(shown(moved, '2026-03-27T00:00Z', '2026-04-27T00:00Z')).toEqual(['03-27T18:40']);
});

it('an interval is where it was, and so is what is as needed', () => {
  for (const schedule of [
    { kind: 'interval', every: '8h', anchor: '2026-01-01T06:00:00Z' },
    { kind: 'as_needed', max_per_day: 3 },
  ]) {
    const range = [[], at('2026-06-01T00:00Z'), at('2026-06-09T00:00Z')] as const;
    const now = at('2026-06-02T19:00Z');
    const moved = movedTo(NEW, plan(schedule), now);
    const pairs = movedDoses(plan(schedule), moved, now);
    expect(pairs.every(({ was, is }) => was?.getTime() === is?.getTime())).toBe(true);
    expect(instants(slotsBetween(moved, ...range))).toEqual(instants(slotsBetween(plan(schedule), ...range)));
  }
});

const ZONES = [
  'Pacific/Honolulu',
  'America/New_York',
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
];

it.each([
  ['one dose a day', ['08:00'], {}],
  ['two', ['08:00', '20:00'], {}],
  ['three', ['06:00', '14:00', '22:00'], {}],
  ['one dose a week', ['08:00'], { days_of_week: ['mon'] }],
])(
  'over every pair of zones, with %s: no dose within half its gap of the one before, and none is skipped',
  (_, times, more) => {
    const minutes = fc.integer({ min: 0, max: 14 * 24 * 60 });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.constantFrom(...ZONES), minutes, (home, other, minute) => {
        const now = new Date(+at('2026-06-01T00:00Z') + minute * 60_000);
        const moved = movedTo(other, plan(daily(times, more), home), now);
        const around = slotsBetween(moved, [], new Date(+now - 30 * DAY_MS), new Date(+now + 30 * DAY_MS));
        const past = slotsBetween(plan(daily(times, more), home), [], new Date(+now - 30 * DAY_MS), now);
        expect(instants(around.slice(0, past.length))).toEqual(instants(past));
        const gap = 'days_of_week' in more ? 7 * DAY_MS : DAY_MS / times.length;
        const gaps = around
          .slice(1)
          .map(({ scheduled_at }, index) => +scheduled_at - +around[index]!.scheduled_at);
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gap / 2);
        expect(Math.max(...gaps)).toBeLessThanOrEqual(1.5 * gap);
      }),
      { numRuns: 100 },
    );
  },
);

it('a move to another zone keeps the planned steps, in their own zone or the new one', () => {
  const step = (pills: number, day: string, time_zone?: string) => ({
    ...version(
      daily(['08:00'], { pills_per_dose: pills, time_zone }),
      time_zone ?? 'UTC',
      `2026-03-${day}T00:00Z`,
    ),
  });
  const steps = [step(4, '01'), step(3, '08'), step(2, '15', 'Asia/Tokyo')];
  const moved = movedTo('Europe/Berlin', steps, at('2026-03-02T12:00Z'));
  expect(
    moved.map(({ effective_from, time_zone, schedule }) => [
      effective_from.getUTCDate(),
      schedule.pills_per_dose,
      time_zone,
    ]),
  ).toEqual([
    [1, 4, 'UTC'],
    [2, 4, 'Europe/Berlin'],
    [8, 3, 'Europe/Berlin'],
    [15, 2, 'Asia/Tokyo'],
  ]);
});
