import { extraDoses } from './extra-doses.js';
import { judgeSlots } from './judge.js';
import type { UnmonitoredPeriod } from './periods.js';
import type { ScheduleVersion } from './schedule.js';
import { slotsBetween } from './slots.js';
import { at, removal, version } from './testing.js';

const DAY = '2025-06-01T';
const clock = (text: string) => at(`${DAY}${text}Z`);
const morning = version({ kind: 'times_of_day', times: ['08:00'] });

interface Plan {
  versions?: ScheduleVersion[];
  periods?: UnmonitoredPeriod[];
}

/** Why what was removed is extra, by its time. */
function reasons(taken: [string, number][], { versions = [morning], periods = [] }: Plan = {}): unknown[] {
  const slots = slotsBetween(versions, periods, clock('00:00'), at('2025-06-03T00:00Z'));
  const judged = judgeSlots({
    slots,
    removals: taken.map(([time, pills], index) => removal(String(index), `${DAY}${time}Z`, pills)),
    contacts: [],
    now: at('2025-06-02T00:00Z'),
    silent_after_ms: 3_600_000,
  });
  return extraDoses(judged, { versions, periods }).map(({ time, pills, reason }) => [
    time.toISOString().slice(11, 16),
    pills,
    reason,
  ]);
}

describe('extraDoses', () => {
  it.each([
    ['one pill after a whole dose', ['08:05', '13:00'], ['13:00 too_early']],
    ['one pill after a missed dose is that dose, very late', ['13:00'], []],
    [
      'every further one',
      ['12:30', '12:45', '13:00', '13:15'],
      ['12:45 too_early', '13:00 several_doses', '13:15 several_doses'],
    ],
    [
      'after one in the window beyond the dose',
      ['08:05', '08:10', '13:00'],
      ['08:10 beyond_dose', '13:00 several_doses'],
    ],
    ['shortly before the next window', ['08:05', '23:59'], ['23:59 too_early']],
  ] as [string, string[], string[]][])('%s', (_case, taken, expected) => {
    const found = reasons(taken.map((time) => [time, 1]));
    expect(found).toEqual(expected.map((one) => [one.slice(0, 5), 1, one.slice(6)]));
  });

  it.each([
    ['more than one dose', [['13:00', 2]], [['13:00', 1, 'several_doses']]],
    [
      'more than one dose after a whole one',
      [
        ['08:05', 1],
        ['13:00', 10],
      ],
      [['13:00', 10, 'several_doses']],
    ],
  ] as [string, [string, number][], unknown[]][])('%s', (_case, taken, expected) => {
    expect(reasons(taken)).toEqual(expected);
  });

  it('what a part of a dose lacks is the rest of it', () => {
    const versions = [version({ kind: 'times_of_day', times: ['08:00'], pills_per_dose: 2 })];
    const part: [string, number] = ['08:05', 1];
    expect(reasons([part, ['13:00', 1]], { versions })).toEqual([]);
    expect(reasons([part, ['13:00', 2]], { versions })).toEqual([['13:00', 1, 'too_early']]);
    expect(reasons([part, ['13:00', 3]], { versions })).toEqual([['13:00', 2, 'several_doses']]);
  });

  it('says how far the doses before and after are, and whether they are a week or more apart', () => {
    const found = (schedule: object, later: ScheduleVersion[] = []) => {
      const versions = [version({ kind: 'times_of_day', times: ['08:00'], ...schedule }), ...later];
      const slots = slotsBetween(versions, [], clock('00:00'), at('2025-06-03T00:00Z'));
      const removals = ['08:05', '13:00'].map((time) => removal(time, `${DAY}${time}Z`));
      const now = at('2025-06-02T00:00Z');
      return extraDoses(judgeSlots({ slots, removals, contacts: [], now, silent_after_ms: 1 }), {
        versions,
        periods: [],
      });
    };
    const dates = { last_dose_at: clock('08:00'), next_dose_at: at('2025-06-02T08:00Z') };
    expect(found({})).toEqual([
      { removal_id: '13:00', time: clock('13:00'), pills: 1, reason: 'too_early', ...dates },
    ]);
    expect(found({ days_of_week: ['sun'] })).toMatchObject([
      { last_dose_at: clock('08:00'), next_dose_at: at('2025-06-08T08:00Z'), is_rare: true },
    ]);
    expect(found({ days_of_week: ['sun'], until: '2025-06-08' })).toMatchObject([{ is_rare: true }]);
    expect(found({ days_of_week: ['sun'], times: ['08:00', '22:00'] })).toMatchObject([{ is_rare: true }]);
    expect(found({ days_of_week: ['sun', 'thu'] })[0]).not.toHaveProperty('is_rare');
    expect(found({ until: '2025-06-02' })[0]).not.toHaveProperty('is_rare');
    const step = version({ kind: 'times_of_day', times: ['20:00'] }, 'UTC', `${DAY}18:00Z`);
    expect(found({}, [step])).toMatchObject([{ reason: 'too_early', next_dose_at: clock('20:00') }]);
  });

  it('everything is extra in a pause, its start included and its end not', () => {
    const periods = [{ from: clock('13:00'), to: clock('14:00') }];
    const taken = ['12:59:59', '13:00', '13:59:59'].map((time): [string, number] => [time, 1]);
    const paused = [
      ['13:00', 1, 'schedule_paused'],
      ['13:59', 1, 'schedule_paused'],
    ];
    expect(reasons(taken, { periods })).toEqual(paused);
    const asNeeded = [version({ kind: 'as_needed', max_per_day: 1 })];
    expect(reasons(taken, { periods, versions: asNeeded })).toEqual(paused);
    expect(reasons([['14:00', 1]], { periods })).toEqual([]);
  });

  it('everything is extra when no dose follows', () => {
    const cycle = { days_on: 1, days_off: 6, anchor: '2025-06-03' };
    const never = { kind: 'times_of_day', times: ['08:00'], days_of_week: ['mon'], cycle };
    expect(reasons([['13:00', 1]], { versions: [version(never)] })).toEqual([['13:00', 1, 'schedule_ended']]);
  });

  it('a planned step goes on after a gap', () => {
    const versions = [
      version({ kind: 'times_of_day', times: ['08:00'], until: '2025-06-01' }),
      version({ kind: 'times_of_day', times: ['20:00'] }, 'UTC', '2025-06-04T00:00Z'),
    ];
    const taken: [string, number][] = [
      ['08:05', 1],
      ['13:00', 1],
    ];
    expect(reasons(taken, { versions })).toEqual([['13:00', 1, 'too_early']]);
  });

  it('what was removed before an edit or a pause is judged without it', () => {
    const evening = version({ kind: 'times_of_day', times: ['22:00'] }, 'UTC', `${DAY}07:00Z`);
    const pause = { from: clock('07:00'), to: clock('23:00') };
    for (const plan of [{ versions: [morning, evening] }, { periods: [pause] }]) {
      expect(reasons([['06:30', 1]], plan)).toEqual([]);
      expect(reasons([['06:30', 2]], plan)).toEqual([['06:30', 2, 'several_doses']]);
    }
  });

  it('nothing is extra before the first version', () => {
    const later = version({ kind: 'times_of_day', times: ['08:00'] }, 'UTC', `${DAY}14:00Z`);
    expect(reasons([['13:00', 5]], { versions: [later] })).toEqual([]);
  });

  it.each([
    ['travel', undefined, []],
    ['device_fault', undefined, []],
    ['hospital', undefined, ['08:05 3 not_monitored', '13:00 1 not_monitored']],
    // what was removed before is judged by the plan: of the dose that it was for, only more pills are extra
    ['hospital', '10:00', ['08:05 3 several_doses', '13:00 1 not_monitored']],
    ['pillbox', undefined, ['13:00 1 not_monitored']],
    ['pillbox', '14:00', ['13:00 1 too_early']],
    ['pause', undefined, ['08:05 3 schedule_paused', '13:00 1 schedule_paused']],
  ] as const)('in a period (%s), entered at %s', (reason, entered, expected) => {
    const periods = [{ from: clock('07:30'), reason, ...(entered && { recorded_at: clock(entered) }) }];
    const found = reasons(
      [
        ['08:05', 3],
        ['13:00', 1],
      ],
      { periods },
    );
    expect(found.map((one) => (one as unknown[]).join(' '))).toEqual(expected);
  });
});
