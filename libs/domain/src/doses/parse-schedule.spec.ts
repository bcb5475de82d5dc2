import fc from 'fast-check';
import { parseSchedule } from './parse-schedule.js';
import { ScheduleError, windowsOf } from './schedule.js';
import { schedules } from './testing.js';

const DAILY = { kind: 'times_of_day', times: ['08:00'] };
const EVERY = { kind: 'interval', every: '8h', anchor: '2026-01-01T06:00:00Z' };
const NEEDED = { kind: 'as_needed', max_per_day: 4 };

function refusal(read: () => unknown): ScheduleError {
  try {
    read();
  } catch (error) {
    if (error instanceof ScheduleError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('parseSchedule', () => {
  it('keeps what was given and fills in the defaults', () => {
    const cycle = { days_on: 21, days_off: 7, anchor: '2026-01-01' };
    const given = { ...DAILY, days_of_week: ['mon'], cycle, time_zone: 'Asia/Kolkata' };
    expect(parseSchedule(given)).toEqual({
      ...given,
      pills_per_dose: 1,
      early_window: '2h',
      late_after: '1h',
      missed_after: '4h',
    });
    expect(parseSchedule(EVERY)).toMatchObject(EVERY);
    expect(parseSchedule({ ...NEEDED, pills_per_dose: 2 })).toMatchObject({
      max_per_day: 4,
      pills_per_dose: 2,
    });
  });

  it.each<[string, object]>([
    [
      'amounts by time',
      { ...DAILY, times: ['08:00', { at: '20:00', pills: 1.5 }, { at: '20:00', pills: 0.25 }] },
    ],
    ['the same time twice', { ...DAILY, times: ['08:00', '08:00'] }],
    ['quarters', { ...DAILY, pills_per_dose: 0.25 }],
    ['days of the month', { ...DAILY, days_of_month: [1, 15, 31] }],
    ['a last day', { ...DAILY, until: '2026-03-10' }],
    ['a number of doses', { ...DAILY, doses: 14 }],
    ['an interval with a last day', { ...EVERY, until: '2026-03-10' }],
    ['an interval with a number of doses', { ...EVERY, doses: 1_000 }],
    ['as needed with a last day', { ...NEEDED, until: '2026-03-10', pills_per_dose: 0.5 }],
  ])('keeps %s as given', (_, given) => {
    const parsed = parseSchedule(given);
    expect(parsed).toMatchObject(given);
    expect(parseSchedule(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
  });

  it('gives the windows in milliseconds', () => {
    expect(windowsOf(parseSchedule(DAILY))).toEqual({
      early_ms: 7_200_000,
      late_ms: 3_600_000,
      missed_ms: 14_400_000,
    });
  });

  it('returns its own result unchanged', () => {
    fc.assert(fc.property(schedules, (schedule) => expect(parseSchedule(schedule)).toEqual(schedule)));
  });

  it.each([
    ['schedule', null],
    ['schedule', [DAILY]],
    ['schedule.kind', {}],
    ['schedule.kind', { kind: 'toString' }],
    ['schedule.colour', { ...DAILY, colour: 'red' }],
    ['schedule.every', { ...DAILY, every: '8h' }],
    ['schedule.__proto__', JSON.parse('{"kind":"as_needed","max_per_day":1,"__proto__":{}}')],
    ['schedule.times', { kind: 'times_of_day' }],
    ['schedule.times', { ...DAILY, times: [] }],
    ['schedule.times', { ...DAILY, times: Array.from({ length: 25 }, (_, minute) => `08:${10 + minute}`) }],
    ['schedule.times[0]', { ...DAILY, times: ['8:00'] }],
    ['schedule.times[0]', { ...DAILY, times: ['24:00'] }],
    ['schedule.times[1]', { ...DAILY, times: ['08:00', 800] }],
    ['schedule.times[1]', { ...DAILY, times: ['08:00', null] }],
    ['schedule.times[1].at', { ...DAILY, times: ['08:00', { pills: 1 }] }],
    ['schedule.times[0].at', { ...DAILY, times: [{ at: '24:00', pills: 1 }] }],
    ['schedule.times[1].pills', { ...DAILY, times: ['08:00', { at: '20:00' }] }],
    ['schedule.times[1].pills', { ...DAILY, times: ['08:00', { at: '20:00', pills: 0 }] }],
    ['schedule.times[1].pills', { ...DAILY, times: ['08:00', { at: '20:00', pills: 1.3 }] }],
    ['schedule.times[1].pills', { ...DAILY, times: ['08:00', { at: '20:00', pills: 100.25 }] }],
    ['schedule.times[1].pills', { ...DAILY, times: ['08:00', { at: '20:00', pills: '1.5' }] }],
    ['schedule.times[0].unit', { ...DAILY, times: [{ at: '20:00', pills: 1, unit: 'mg' }] }],
    ['schedule.days_of_month', { ...DAILY, days_of_month: [] }],
    ['schedule.days_of_month', { ...DAILY, days_of_month: 'last' }],
    ['schedule.days_of_month[0]', { ...DAILY, days_of_month: [0] }],
    ['schedule.days_of_month[1]', { ...DAILY, days_of_month: [1, 32] }],
    ['schedule.days_of_month[1]', { ...DAILY, days_of_month: [15, 15] }],
    ['schedule.days_of_month[0]', { ...DAILY, days_of_month: ['1'] }],
    ['schedule.days_of_month', { ...EVERY, days_of_month: [1] }],
    ['schedule.until', { ...DAILY, until: '2026-02-30' }],
    ['schedule.until', { ...DAILY, until: '2026-02-28T00:00:00Z' }],
    ['schedule.until', { ...NEEDED, until: 20260301 }],
    ['schedule.doses', { ...DAILY, doses: 0 }],
    ['schedule.doses', { ...DAILY, doses: 1.5 }],
    ['schedule.doses', { ...EVERY, doses: 1_001 }],
    ['schedule.doses', { ...EVERY, doses: 3, until: '2026-03-01' }],
    ['schedule.doses', { ...NEEDED, doses: 3 }],
    ['schedule.pills_per_dose', { ...DAILY, pills_per_dose: 0.1 }],
    ['schedule.pills_per_dose', { ...NEEDED, pills_per_dose: -0.25 }],
    ['schedule.days_of_week', { ...DAILY, days_of_week: [] }],
    ['schedule.days_of_week[0]', { ...DAILY, days_of_week: ['monday'] }],
    ['schedule.days_of_week[1]', { ...DAILY, days_of_week: ['mon', 'mon'] }],
    ['schedule.cycle', { ...DAILY, cycle: 21 }],
    ['schedule.cycle.days_on', { ...DAILY, cycle: { days_on: 0, days_off: 7, anchor: '2026-01-01' } }],
    ['schedule.cycle.days_off', { ...DAILY, cycle: { days_on: 1, days_off: 1.5, anchor: '2026-01-01' } }],
    ['schedule.cycle.anchor', { ...DAILY, cycle: { days_on: 1, days_off: 1, anchor: '2026-02-30' } }],
    ['schedule.cycle.days', { ...DAILY, cycle: { days: 3 } }],
    ['schedule.every', { ...EVERY, every: '59m' }],
    ['schedule.every', { ...EVERY, every: '367d' }],
    ['schedule.every', { ...EVERY, every: 8 }],
    ['schedule.anchor', { ...EVERY, anchor: '2026-01-01' }],
    ['schedule.anchor', { ...EVERY, anchor: '2026-01-01T06:00' }],
    ['schedule.max_per_day', { kind: 'as_needed' }],
    ['schedule.max_per_day', { ...NEEDED, max_per_day: '4' }],
    ['schedule.pills_per_dose', { ...DAILY, pills_per_dose: 0 }],
    ['schedule.pills_per_dose', { ...DAILY, pills_per_dose: null }],
    ['schedule.early_window', { ...DAILY, early_window: '25h' }],
    ['schedule.early_window', { ...DAILY, early_window: '-1h' }],
    ['schedule.late_after', { ...DAILY, late_after: '4h' }],
    ['schedule.late_after', { ...DAILY, late_after: '2 hours' }],
    ['schedule.missed_after', { ...DAILY, missed_after: '8d' }],
    ['schedule.time_zone', { ...DAILY, time_zone: 'Mars/Phobos' }],
    ['schedule.time_zone', { ...DAILY, time_zone: '+02:00' }],
    ['schedule.time_zone', { ...DAILY, time_zone: '2026-01-01T00:00Z[Europe/Berlin]' }],
    ['schedule.effective_from', { ...DAILY, effective_from: 'tomorrow' }],
    ['schedule.effective_from', { ...DAILY, effective_from: '2026-02-30T00:00:00Z' }],
  ])('refuses %s of %j', (field, input) => {
    expect(refusal(() => parseSchedule(input))).toMatchObject({ code: 'invalid_schedule', field });
  });

  it('throws nothing but ScheduleError, whatever it is given', () => {
    const fields = fc.constantFrom(
      'kind',
      'times',
      'cycle',
      'every',
      'anchor',
      'late_after',
      'time_zone',
      'x',
    );
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('times_of_day', 'interval', 'as_needed', '1h', ['08:00']),
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fields, values)), (input) => {
        try {
          parseSchedule(input);
        } catch (error) {
          expect(error).toBeInstanceOf(ScheduleError);
        }
      }),
    );
  });
});
