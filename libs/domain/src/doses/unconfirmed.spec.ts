import { RecordedCoverage } from '../coverage/recorded-coverage.js';
import type { DoseOutcome } from './judge.js';
import { parseSchedule } from './parse-schedule.js';
import type { ScheduleVersion } from './schedule.js';
import { dosesInGap, unconfirmedDoses, wasLateByGrace } from './unconfirmed.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}:00Z`);
const DAILY: ScheduleVersion = {
  effective_from: at('00:00'),
  time_zone: 'UTC',
  schedule: parseSchedule({ kind: 'times_of_day', times: ['08:00'] }),
};

describe('the doses that fall in a gap', () => {
  // missed_after is 4 hours
  it.each([
    [5, '08:00', '08:05', true],
    [15, '07:50', '08:05', true],
    [60, '08:30', '09:30', true],
    [300, '04:00', '09:00', true],
    [60, '12:00', '13:00', true],
    [60, '12:01', '13:01', false],
    [60, '07:00', '08:00', false],
  ])('a dose of 08:00 and %d minutes from %s to %s: %s', (_minutes, from, until, falls) => {
    expect(dosesInGap([DAILY], [], { from: at(from), until: at(until) })).toHaveLength(falls ? 1 : 0);
  });
});

describe('the doses that a gap leaves unconfirmed', () => {
  const gap = { from: at('07:30'), until: at('08:30') };
  const slots = dosesInGap([DAILY], [], gap);

  it.each<[string, DoseOutcome | undefined, string | undefined, boolean, boolean]>([
    ['no outcome, and no report since', undefined, '07:10', false, true],
    ['no outcome, and a report at the end', undefined, '08:30', false, false],
    ['unknown, and no report since', 'unknown', '07:10', false, true],
    ['unknown, and a report since', 'unknown', '08:40', false, true],
    ['taken', 'taken_on_time', '08:40', false, false],
    ['taken early, before the gap', 'taken_early', '07:10', false, false],
    ['missed', 'missed', '08:40', false, false],
    ['silent before the gap', undefined, '06:00', true, false],
    ['never seen', undefined, undefined, false, false],
  ])('%s', (_, outcome, lastSeen, wasSilent, isUnconfirmed) => {
    const outcomes = new Map(outcome && [[at('08:00').getTime(), outcome]]);
    const known = { slots, outcomes, lastSeen: lastSeen === undefined ? undefined : at(lastSeen), wasSilent };
    expect(unconfirmedDoses(known, gap)).toEqual(isUnconfirmed ? slots : []);
  });
});

// reports were accepted from 08:30 to 08:45, and from 08:50 on
it.each([
  ['09:00', true],
  ['09:05', true],
  ['09:06', false],
])(
  'a dose was late by the end of the grace if we had listened for at most the grace until then: %s',
  (lateAt, isLate) => {
    const spans = [
      { from: at('06:00'), until: at('07:30') },
      { from: at('08:30'), until: at('08:45') },
      { from: at('08:50'), until: at('12:00') },
    ];
    const coverage = new RecordedCoverage(spans, { since: at('06:00'), now: at('12:00') }, 0);
    const rule = { coverage, graceMs: 30 * 60_000 };
    expect(wasLateByGrace({ late_at: at(lateAt) }, { until: at('08:30') }, rule)).toBe(isLate);
  },
);
