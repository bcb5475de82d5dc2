import type { Schedule } from '../../../api/vocabulary.js';
import { draftOf, scheduleOf } from './draft.js';
import { scheduleText } from './schedule-text.js';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const BERLIN = 'Europe/Berlin';
const windows = { early_window: '2h', late_after: '1h', missed_after: '4h' };

it.each<[string, Schedule, string]>([
  [
    'times of day',
    { kind: 'times_of_day', times: ['08:00', '20:00'], pills_per_dose: 2, ...windows },
    '2 pills at 08:00 and 20:00, every day',
  ],
  [
    'days of the week and a cycle',
    {
      kind: 'times_of_day',
      times: ['08:00'],
      days_of_week: ['mon', 'fri'],
      cycle: { days_on: 21, days_off: 7, anchor: '2026-03-02' },
      pills_per_dose: 1,
      ...windows,
    },
    '1 pill at 08:00, Mon and Fri, 21 days on and 7 off from Mon 2 Mar',
  ],
  [
    'an interval in another zone',
    {
      kind: 'interval',
      every: '8h',
      anchor: '2026-03-02T07:00:00.000Z',
      pills_per_dose: 1,
      time_zone: 'Asia/Tokyo',
      ...windows,
    },
    '1 pill every 8 h, starting 08:00 CET',
  ],
  [
    'amounts by time, in quarters, until a day',
    {
      kind: 'times_of_day',
      times: ['20:00', { at: '08:00', pills: 1.5 }, { at: '20:00', pills: 0.25 }],
      pills_per_dose: 0.5,
      until: '2026-03-10',
      ...windows,
    },
    '1½ pills at 08:00 and ¾ pill at 20:00, every day, ends on Tue 10 Mar',
  ],
  [
    'days of the month, so many doses',
    {
      kind: 'times_of_day',
      times: ['08:00'],
      days_of_month: [15, 1],
      pills_per_dose: 1,
      doses: 6,
      ...windows,
    },
    '1 pill at 08:00, on day 1 and 15 of the month, ends after 6 doses',
  ],
  [
    'an interval with an end',
    {
      kind: 'interval',
      every: '8h',
      anchor: '2026-03-02T07:00:00.000Z',
      pills_per_dose: 1,
      doses: 1,
      ...windows,
    },
    '1 pill every 8 h, starting 08:00 CET, ends after 1 dose',
  ],
  [
    'as needed until a day',
    { kind: 'as_needed', max_per_day: 4, pills_per_dose: 0.5, until: '2026-03-10' },
    '½ pill as needed, up to 4 doses in 24 hours, ends on Tue 10 Mar',
  ],
  [
    'as needed',
    { kind: 'as_needed', max_per_day: 4, pills_per_dose: 1 },
    '1 pill as needed, up to 4 doses in 24 hours',
  ],
  [
    'as needed, not too soon',
    { kind: 'as_needed', max_per_day: 4, min_interval: '4h', pills_per_dose: 1 },
    '1 pill as needed, up to 4 doses in 24 hours, at least 4 h apart',
  ],
])('%s: an unchanged draft gives the same schedule', (_, schedule, text) => {
  expect(scheduleOf(draftOf(schedule, BERLIN, NOW), BERLIN)).toEqual(schedule);
  expect(scheduleText(schedule, BERLIN, NOW)).toBe(text);
});

it('reads "effective from" in the schedule’s zone', () => {
  const draft = { ...draftOf(undefined, BERLIN, NOW), from: '2026-07-01T00:00' };
  expect(scheduleOf(draft, BERLIN).effective_from).toBe('2026-06-30T22:00:00.000Z');
});
