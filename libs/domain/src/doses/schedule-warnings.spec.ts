import { parseSchedule } from './parse-schedule.js';
import { gapWarnings, scheduleWarnings } from './schedule-warnings.js';
import { daily } from './testing.js';

const codes = (schedule: object) => scheduleWarnings(parseSchedule(schedule)).map(({ code }) => code);
const OVERLAP = 'windows_overlap';
const MISSED = 'missed_after_next_dose';
const anchor = '2026-03-02T06:00:00Z';

it.each<[string, object, string[]]>([
  ['four a day', daily(['08:00', '12:00', '16:00', '20:00']), []],
  // windows of 6 h
  ['windows that overlap by half', daily(['08:00', '11:00'], { missed_after: '3h', early_window: '3h' }), []],
  ['a minute more', daily(['08:00', '10:59'], { missed_after: '2h', early_window: '4h' }), [OVERLAP]],
  ['missed at the next dose', daily(['08:00', '12:00']), []],
  ['missed a minute after the next dose', daily(['08:00', '12:00'], { missed_after: '241m' }), [MISSED]],
  ['both', daily(['08:00', '10:00']), [OVERLAP, MISSED]],
  ['in any order', daily(['20:00', '08:00', '10:00']), [OVERLAP, MISSED]],
  ['over midnight', daily(['00:30', '12:00', '23:30']), [OVERLAP, MISSED]],
  [
    'daily, missed a day later, as a clock change is no reason',
    daily(['08:00'], { missed_after: '24h' }),
    [],
  ],
  ['daily, missed later', daily(['08:00'], { missed_after: '25h' }), [MISSED]],
  [
    'every other day',
    daily(['08:00'], { missed_after: '48h', cycle: { days_on: 1, days_off: 1, anchor: '2026-03-02' } }),
    [],
  ],
  ['weekly', daily(['08:00'], { days_of_week: ['sun'], missed_after: '7d' }), []],
  ['Sunday and Monday', daily(['08:00'], { days_of_week: ['sun', 'mon'], missed_after: '25h' }), [MISSED]],
  ['Monday and Friday', daily(['08:00'], { days_of_week: ['mon', 'fri'], missed_after: '72h' }), []],
  [
    'over the end of one day and the begin of another',
    daily(['00:30', '23:30'], { days_of_week: ['mon', 'thu'] }),
    [],
  ],
  [
    'days of a cycle that are only now and then next to each other',
    daily(['08:00'], {
      days_of_week: ['mon', 'tue'],
      cycle: { days_on: 1, days_off: 1, anchor: '2026-03-03' },
      missed_after: '7d',
    }),
    [MISSED],
  ],
  [
    'the ends of cycles',
    daily(['08:00'], { cycle: { days_on: 1, days_off: 6, anchor: '2026-03-02' }, missed_after: '7d' }),
    [],
  ],
  [
    'a day that never comes',
    daily(['08:00'], { days_of_week: ['mon'], cycle: { days_on: 1, days_off: 6, anchor: '2026-03-03' } }),
    [],
  ],
  ['an interval', { kind: 'interval', every: '4h', anchor }, []],
  ['a short interval', { kind: 'interval', every: '2h', anchor }, [OVERLAP, MISSED]],
  ['as needed', { kind: 'as_needed', max_per_day: 24 }, []],
])('%s', (_, schedule, expected) => expect(codes(schedule)).toEqual(expected));

it('says which field, and by how much', () => {
  expect(scheduleWarnings(daily(['08:00', '09:30']))).toEqual([
    {
      code: OVERLAP,
      field: 'schedule.early_window',
      text: 'Doses are 90m apart and can be taken for 6h: these windows overlap by more than half, so a pill may be counted for the wrong dose.',
      doses_apart: '90m',
    },
    {
      code: MISSED,
      field: 'schedule.missed_after',
      text: 'A dose is missed 4h after its time, but the next one is due 90m after it.',
      doses_apart: '90m',
    },
  ]);
});

describe('a step that ends before the next begins', () => {
  const step = (day: number, more: object = {}) => ({
    effective_from: new Date(Date.UTC(2026, 2, day)),
    time_zone: 'UTC',
    schedule: daily(['08:00'], more),
  });
  const now = { ...step(3), schedule: daily(['08:00'], { until: '2026-03-03' }) };
  const days = (...args: Parameters<typeof gapWarnings>) =>
    gapWarnings(...args).map(({ field, no_dose_from, no_dose_until }) => [
      field,
      no_dose_from?.toISOString().slice(0, 16),
      no_dose_until?.toISOString().slice(0, 10),
    ]);

  it('leaves days without a dose', () => {
    const before = [step(1), step(8)];
    expect(days([now, step(8)], before)).toEqual([['schedule.until', '2026-03-04T00:00', '2026-03-08']]);
    expect(days([step(1, { doses: 2 }), step(8)])).toEqual([
      ['schedule.doses', '2026-03-02T08:01', '2026-03-08'],
    ]);
  });

  it.each<[string, Parameters<typeof gapWarnings>]>([
    ['the next begins when it ends', [[now, step(4)]]],
    [
      'no dose would be due in between',
      [[{ ...now, schedule: daily(['08:00'], { until: '2026-03-03', days_of_week: ['tue'] }) }, step(10)]],
    ],
    ['it is the last', [[step(1), now]]],
    ['it never ends', [[step(1), step(8)]]],
    [
      'the gap was there, and is no longer',
      [
        [step(3, { until: '2026-03-03' }), step(8)],
        [step(1, { until: '2026-03-02' }), step(8)],
      ],
    ],
    ['it had ended for good, and another course is planned', [[now, step(8)], [now]]],
  ])('gives no warning if %s', (_, plans) => {
    const [plan, before] = plans;
    const kept = before?.map((each) => plan.find((other) => other === each) ?? each);
    expect(days(plan, kept)).toEqual([]);
  });
});
