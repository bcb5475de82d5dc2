import { idOf } from '../../../bottle-state/testing.js';
import { parseSchedule, type ScheduleVersion, slotsBetween } from '../../../doses/index.js';
import { judgeSupply } from './finding.js';
import { daysOfSupply, judgeLowSupply, pillsNeeded, type SlotProgress } from './low-supply.js';

const at = (iso: string) => new Date(iso);
const version = (schedule: object): ScheduleVersion => ({
  effective_from: at('2025-01-01T00:00Z'),
  time_zone: 'UTC',
  schedule: parseSchedule(schedule),
});
const twice = version({ kind: 'times_of_day', times: ['08:00', '20:00'] });
const needed = version({ kind: 'as_needed', max_per_day: 3, pills_per_dose: 2 });
const now = at('2025-06-01T07:00Z');
const pairs = version({ kind: 'times_of_day', times: ['08:00'], pills_per_dose: 2 });
const plan = { versions: [twice], periods: [], now, progress: [] };

/** What was taken of the doses of 1 June. */
const progress = (taken: Record<string, number>): SlotProgress[] =>
  slotsBetween([twice], [], at('2025-06-01T00:00Z'), at('2025-06-02T00:00Z')).map((slot) => ({
    slot,
    pills_taken: taken[slot.scheduled_at.toISOString().slice(11, 16)] ?? 0,
  }));

describe('daysOfSupply', () => {
  it('ends at the first dose that cannot be taken whole', () => {
    expect(daysOfSupply({ ...plan, pills: 0 }).runs_out_at).toEqual(at('2025-06-01T08:00Z'));
    expect(daysOfSupply({ ...plan, pills: 3 })).toEqual({
      days: 37 / 24,
      runs_out_at: at('2025-06-02T20:00Z'),
    });
    expect(daysOfSupply({ ...plan, versions: [pairs], pills: 3 }).runs_out_at).toEqual(
      at('2025-06-02T08:00Z'),
    );
  });

  it('leaves out doses taken early, pauses, and stops at 400 days', () => {
    expect(daysOfSupply({ ...plan, progress: progress({ '08:00': 1 }), pills: 0 }).runs_out_at).toEqual(
      at('2025-06-01T20:00Z'),
    );
    const periods = [{ from: now, to: at('2025-06-08T00:00Z') }];
    expect(daysOfSupply({ ...plan, periods, pills: 0 }).runs_out_at).toEqual(at('2025-06-08T08:00Z'));
    expect(daysOfSupply({ ...plan, pills: 10_000 })).toEqual({ days: 400 });
  });

  it('takes the daily maximum of an as-needed schedule', () => {
    expect(daysOfSupply({ ...plan, versions: [needed], pills: 12 }).days).toBeCloseTo(3);
  });
});

describe('pillsNeeded', () => {
  const needs = (time: string, taken: Record<string, number> = {}, versions = [twice]): [string, number][] =>
    pillsNeeded(
      { versions, periods: [], now: at(`2025-06-01T${time}Z`), progress: progress(taken) },
      at('2025-06-01T20:00Z'),
    ).map((need) => [need.at.toISOString().slice(11, 16), need.pills]);

  it.each([
    ['before it is due', '07:00', {}, ['08:00', '20:00']],
    ['taken early', '07:00', { '08:00': 1 }, ['20:00']],
    ['both taken', '19:00', { '08:00': 1, '20:00': 1 }, []],
    ['due and not taken', '08:05', {}, ['08:00', '20:00']],
    ['late', '11:59:59.999', {}, ['08:00', '20:00']],
    ['missed', '12:00', {}, ['20:00']],
  ] as [string, string, Record<string, number>, string[]][])('%s', (_case, time, taken, expected) => {
    expect(needs(time, taken)).toEqual(expected.map((due) => [due, 1]));
  });

  it('a part of a dose needs its rest', () => {
    expect(needs('08:30', { '08:00': 1 }, [pairs])).toEqual([['08:00', 1]]);
  });
});

describe('judgeLowSupply', () => {
  it.each([
    [6, false],
    [5, true],
  ])('with %i pills for three days of two doses: low is %s', (pills, low) => {
    expect(judgeLowSupply({ ...plan, pills, days: 3 })).toMatchObject({ state: { low }, needed: 6 });
  });

  it('counts a dose at the very end of the days, and none after it', () => {
    const since = (time: string) => ({ ...plan, now: at(`2025-06-01T${time}Z`), pills: 5, days: 3 });
    const taken = { progress: progress({ '08:00': 1 }) };
    expect(judgeLowSupply({ ...since('07:59:59.999'), ...taken })).toMatchObject({ needed: 5 });
    expect(judgeLowSupply({ ...since('08:00'), ...taken })).toMatchObject({
      needed: 6,
      state: { low: true },
    });
  });

  it('says when it becomes low while no dose is due', () => {
    const early = { ...plan, progress: progress({ '08:00': 1 }), days: 3, until: at('2025-06-01T21:00Z') };
    expect(judgeLowSupply({ ...early, pills: 5 }).low_at).toEqual(at('2025-06-01T08:00Z'));
    // at 20:00 it would be low, but then a dose is due: what becomes of it decides
    expect(judgeLowSupply({ ...early, pills: 6 }).low_at).toBeUndefined();
    const both = { ...early, progress: progress({ '08:00': 1, '20:00': 1 }) };
    expect(judgeLowSupply({ ...both, pills: 5 }).low_at).toEqual(at('2025-06-01T20:00Z'));
    expect(judgeLowSupply({ ...both, pills: 6 }).low_at).toBeUndefined();
    expect(judgeLowSupply({ ...early, pills: 4 })).toMatchObject({ state: { low: true } });
  });

  it('ends on a refill that is enough, and on nothing else', () => {
    const start = judgeLowSupply({ ...plan, pills: 5, days: 3 });
    const taken = judgeLowSupply({ ...plan, pills: 4, days: 3, state: start.state });
    expect(taken.state).toEqual({ low: true, lowest_pills: 4 });
    expect(judgeLowSupply({ ...plan, pills: 5, days: 3, state: taken.state }).state.low).toBe(true);
    expect(judgeLowSupply({ ...plan, pills: 30, days: 3, state: taken.state }).state).toEqual({ low: false });
    const off = { ...plan, versions: [], pills: 4, days: 3 };
    expect(judgeLowSupply({ ...off, state: taken.state }).state.low).toBe(true);
    expect(judgeLowSupply(off).state.low).toBe(false);
  });

  it('takes the daily maximum of an as-needed schedule', () => {
    const asNeeded = { ...plan, versions: [needed], days: 2 };
    expect(judgeLowSupply({ ...asNeeded, pills: 12 })).toMatchObject({ needed: 12, state: { low: false } });
    expect(judgeLowSupply({ ...asNeeded, pills: 11 }).state.low).toBe(true);
  });
});

describe('the supply of a plan', () => {
  const bottle = {
    _id: idOf(1),
    user_id: 'u1',
    medication: 'Cordrazine',
    registered_at: at('2025-05-01T00:00Z'),
    schedule_versions: [twice],
    pauses: [],
  };
  const counted = (number_of_pills?: number) => ({
    bottle: { initial_pills: 90 },
    state: {
      last_action: {
        id: idOf(9),
        action: 'closed' as const,
        time: now,
        received_at: now,
        ...(number_of_pills !== undefined && { number_of_pills }),
      },
    },
  });

  it('of several bottles is the sum of their pills, unknown if those of one are', () => {
    const judge = (others: ReturnType<typeof counted>[]) =>
      judgeSupply(
        {
          state: { _id: bottle._id, user_id: 'u1', medication: 'Cordrazine', ...counted(2).state },
          bottle,
          judged: { slots: [] },
          others,
          open: undefined,
          days: 3,
        },
        now,
      );
    expect(judge([]).raise).toMatchObject([{ evidence: { pills: 2, needed: 6 } }]);
    expect(judge([counted(1), counted(2)]).raise).toMatchObject([{ evidence: { pills: 5, needed: 6 } }]);
    expect(judge([counted(1), counted(3)])).toMatchObject({ raise: [], state: { low: false } });
    expect(judge([{ ...counted(), state: {} as never }]).raise).toEqual([]);
    expect(judge([counted(1), counted()])).toEqual({ raise: [], end: [] });
  });
});
