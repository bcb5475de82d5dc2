import type { Reported, Today, TodaysDose } from '../../api/schema.js';
import { doseDetail, dosesStatement, scheduleSentence } from './today-text.js';

const BERLIN = 'Europe/Berlin';
/** 09:37 in Berlin. */
const NOW = Date.parse('2026-03-02T08:37:00Z');

/** A dose at an hour of UTC on that day, one hour ahead in Berlin. */
function dose(hour: string, more: Partial<TodaysDose>): TodaysDose {
  const at = Date.parse(`2026-03-02T${hour}:00Z`);
  const after = (hours: number): string => new Date(at + hours * 3_600_000).toISOString();
  return {
    scheduled_at: after(0),
    status: 'upcoming',
    late_at: after(1),
    missed_at: after(4),
    pills_scheduled: 1,
    pills_taken: 0,
    taken_at: null,
    offline: null,
    unreported: null,
    unclear_closing: null,
    period: null,
    reported: null,
    earlier_reports: [],
    ...more,
  };
}

const day = (doses: TodaysDose[], more: Partial<Today> = {}): Today => ({
  local_date: '2026-03-02',
  schedule_state: 'active',
  schedule_state_until: null,
  doses,
  as_needed: null,
  changes_at: '2026-03-02T23:00:00Z',
  ...more,
});

const evening = { scheduled_at: '2026-03-02T19:00:00Z', late_at: '2026-03-02T20:00:00Z', pills: 1 };
const taken = (hour: string, at: string) =>
  dose(hour, { status: 'taken_on_time', taken_at: `2026-03-02T${at}:00Z`, pills_taken: 1 });
const upcoming = dose('19:00', {});
const statedAs = (outcome: Reported['outcome']): Pick<TodaysDose, 'reported'> => ({
  reported: {
    id: '',
    at: '2026-03-02T08:30:00Z',
    outcome,
    taken_at: null,
    pills: null,
    source: null,
    reason: null,
    note: null,
    attested_by: 'carer',
    recorded_by: 'carer:anna',
    agreement: 'disagrees',
  },
});
const offline = { since: '2026-03-02T07:30:00Z', until: null };

it.each<[sentence: string, more: string | undefined, today: Today]>([
  ['Dose due since 09:30 CET, 7 min.', undefined, day([dose('08:30', { status: 'due' })])],
  [
    '2 doses are due, the first of 08:45 CET.',
    undefined,
    day([dose('07:45', { status: 'due' }), dose('08:30', { status: 'due' })]),
  ],
  [
    'Dose of 07:00 CET is 2 h 37 min late.',
    'Today: 1 late, 1 upcoming.',
    day([dose('06:00', { status: 'late' }), upcoming]),
  ],
  [
    'Dose of 04:00 CET was missed.',
    'Today: 1 missed, 1 taken, 1 upcoming.',
    day([dose('03:00', { status: 'missed' }), taken('08:00', '08:05'), upcoming]),
  ],
  [
    '2 doses were missed, the first of 03:00 CET.',
    undefined,
    day([dose('02:00', { status: 'missed' }), dose('03:00', { status: 'missed' })]),
  ],
  [
    'Dose of 09:00 CET cannot be known: offline since 08:30 CET.',
    undefined,
    day([dose('08:00', { status: 'unknown', offline })]),
  ],
  [
    'Dose of 04:00 CET was partly taken: 1 of 2 pills.',
    undefined,
    day([dose('03:00', { status: 'partial', pills_taken: 1, pills_scheduled: 2 })]),
  ],
  [
    '05:00 CET reported taken (measured: late); next 20:00 CET, in 10 h 23 min.',
    undefined,
    day([dose('04:00', { status: 'late', ...statedAs('taken_on_time') }), upcoming]),
  ],
  [
    '1 of 3 doses taken today; 04:00 CET reported skipped (measured: missed); next 20:00 CET, in 10 h 23 min.',
    undefined,
    day([dose('03:00', { status: 'missed', ...statedAs('skipped') }), taken('08:00', '08:05'), upcoming]),
  ],
  // it hides no other dose
  [
    'Dose of 07:00 CET is 2 h 37 min late; 05:00 CET reported taken (measured: late).',
    'Today: 1 reported taken, 1 late, 1 upcoming.',
    day([
      dose('04:00', { status: 'late', ...statedAs('taken') }),
      dose('06:00', { status: 'late' }),
      upcoming,
    ]),
  ],
  // a part of it, or pills for later, settle nothing
  [
    'Dose of 04:00 CET was missed.',
    undefined,
    day([dose('03:00', { status: 'missed', ...statedAs('not_taken') })]),
  ],
  // what was measured needs no word
  [
    'The dose of today is taken; next 20:00 CET, in 10 h 23 min.',
    undefined,
    day([{ ...taken('08:00', '08:05'), ...statedAs('skipped') }]),
  ],
  ['No dose due yet today; next 20:00 CET, in 10 h 23 min.', undefined, day([upcoming])],
  [
    '1 of 2 doses taken today; next 20:00 CET, in 10 h 23 min.',
    undefined,
    day([taken('08:00', '08:05'), upcoming]),
  ],
  ['The dose of today is taken; next 20:00 CET, in 10 h 23 min.', undefined, day([taken('08:00', '08:05')])],
  ['No dose today; next 20:00 CET, in 10 h 23 min.', undefined, day([])],
  ['No schedule, so no dose is expected.', undefined, day([], { schedule_state: 'none' })],
  ['For the plan of another bottle, which has the doses.', undefined, day([], { schedule_state: 'shared' })],
  [
    'The dose of today is taken; next 20:00 CET, in 10 h 23 min.',
    'Paused until Thu 5 Mar, 12:00 CET. No dose is due before.',
    day([taken('08:00', '08:05')], {
      schedule_state: 'paused',
      schedule_state_until: '2026-03-05T11:00:00Z',
    }),
  ],
])('%s', (sentence, more, today) => {
  const statement = dosesStatement({ today, next_dose: evening }, NOW, BERLIN);
  expect([statement.sentence, statement.more]).toEqual([sentence, more]);
});

it.each<[text: string, today: Partial<Today>]>([
  ['The schedule has ended. No further dose is due.', { schedule_state: 'ended' }],
  [
    'The schedule starts 12:00 CET. No dose is due before.',
    { schedule_state: 'not_started', schedule_state_until: '2026-03-02T11:00:00Z' },
  ],
  [
    'As needed: 1 of at most 4 pills taken in 24 hours.',
    {
      schedule_state: 'as_needed',
      as_needed: { pills_taken: 1, doses: 1, max_pills: 4, extra_pills: 0, since: '2026-03-01T08:37:00Z' },
    },
  ],
  [
    'As needed: 6 of at most 4 pills taken in 24 hours, 2 over the limit.',
    {
      schedule_state: 'as_needed',
      as_needed: { pills_taken: 6, doses: 6, max_pills: 4, extra_pills: 2, since: '2026-03-01T08:37:00Z' },
    },
  ],
])('%s', (text, today) => expect(scheduleSentence(day([], today), NOW, BERLIN)).toBe(text));

it.each<[detail: string, dose: TodaysDose]>([
  ['in 10 h 23 min', upcoming],
  ['on time until 10:30 CET', dose('08:30', { status: 'due' })],
  // late_at is still on time
  ['on time until 09:37 CET', dose('07:37', { status: 'due' })],
  ['waiting for the next report of the bottle', dose('07:36', { status: 'due' })],
  [
    '1 of 2 pills taken; on time until 10:30 CET',
    dose('08:30', { status: 'due', pills_taken: 1, pills_scheduled: 2 }),
  ],
  ['missed after 11:00 CET', dose('06:00', { status: 'late' })],
  ['offline since 08:30 CET', dose('06:00', { status: 'late', offline })],
  ['at 09:05 CET', taken('08:00', '08:05')],
  ['1 of 2 pills taken', dose('03:00', { status: 'partial', pills_taken: 1, pills_scheduled: 2 })],
  ['', dose('03:00', { status: 'missed' })],
  [
    'offline from 08:30 CET to 09:20 CET',
    dose('03:00', { status: 'unknown', offline: { ...offline, until: '2026-03-02T08:20:00Z' } }),
  ],
  [
    'the bottle has never reported',
    dose('03:00', { status: 'unknown', offline: { since: null, until: null } }),
  ],
  [
    'by its count, 1 pill left the bottle by 08:35 CET, and no closing reported it',
    dose('06:00', {
      status: 'unknown',
      unreported: { pills: 1, from: '2026-03-02T07:05:00Z', until: '2026-03-02T07:35:00Z' },
    }),
  ],
])('%s', (detail, of) => expect(doseDetail(of, NOW, BERLIN)).toBe(detail));
