import { parseSchedule, type ScheduleVersion, slotsBetween, type UnmonitoredPeriod } from '../doses/index.js';
import { type DosingDaysInput, dosingDays } from './dosing-days.js';
import { commonDays, taxonomyFigures } from './taxonomy.js';

const at = (time: string): Date => new Date(`2026-03-${time}Z`);

function version(schedule: object, from = '01T00:00'): ScheduleVersion {
  return {
    effective_from: at(from),
    time_zone: 'UTC',
    schedule: parseSchedule({ kind: 'times_of_day', ...schedule }),
  };
}

const TWICE = version({ times: ['08:00', '20:00'] });

/** Five days of two doses a day, all judged as missed unless a test says otherwise. */
function days(input: Partial<DosingDaysInput>, versions = [TWICE]) {
  const range = { from: at('01T00:00'), to: at('06T00:00'), ...input };
  return dosingDays({
    plan: { versions, periods: [] },
    removals: [],
    outcomes: slotsBetween(versions, [], range.from, new Date(range.to.getTime() + 86_400_000)).map(
      ({ scheduled_at }) => ({ scheduled_at, outcome: 'missed', pills_taken: 0 }),
    ),
    now: at('20T00:00'),
    zone: 'UTC',
    ...range,
  });
}

const removed = (...times: string[]) => times.map((time) => ({ time: at(time), pills: 1 }));
const measured = (input: Partial<DosingDaysInput>, versions?: ScheduleVersion[]): string =>
  days(input, versions)
    .map(({ measured: { implemented, left_out } }) => left_out?.[0] ?? implemented)
    .join('');
const reported = (input: Partial<DosingDaysInput>): string =>
  days(input)
    .map(({ reported: { implemented, left_out } }) => left_out?.[0] ?? implemented)
    .join('');

describe('days with the prescribed amount', () => {
  it('a day is from 03:00 to 03:00: what leaves the bottle at 02:59 is of the evening before', () => {
    expect(measured({ removals: removed('01T08:00', '02T02:59:59.999') })).toBe('10000');
    expect(measured({ removals: removed('01T08:00', '02T03:00') })).toBe('00000');
    expect(measured({ removals: removed('01T23:59', '02T00:00') })).toBe('10000');
  });

  it('the day is local, also where clocks change', () => {
    const versions = [{ ...TWICE, time_zone: 'Europe/Berlin' }];
    const range = { from: at('28T23:00'), to: at('29T22:00'), now: at('31T00:00'), zone: 'Europe/Berlin' };
    expect(measured({ ...range, removals: removed('29T00:59', '29T01:00', '30T00:59') }, versions)).toBe('1');
    expect(measured({ ...range, removals: removed('29T00:59', '29T01:00', '30T01:00') }, versions)).toBe('0');
  });

  it('more than is expected does not make up for another day', () => {
    expect(measured({ removals: removed('01T08:00', '01T09:00', '01T10:00', '01T11:00') })).toBe('10000');
  });

  it('has no day before the first step and after the last dose, nor one that is not over', () => {
    const course = version(
      { times: ['08:00'], cycle: { days_on: 2, days_off: 366, anchor: '2026-03-02' } },
      '02T00:00',
    );
    expect(measured({ now: at('06T02:59') })).toBe('0000');
    expect(measured({ from: at('01T00:01') })).toBe('0000');
    expect(measured({}, [course])).toBe('0011');
    expect(measured({}, [version({ times: ['08:00'], until: '2026-03-02' })])).toBe('00');
    const again = version({ times: ['08:00'] }, '05T00:00');
    expect(measured({}, [version({ times: ['08:00'], until: '2026-03-02' }), again])).toBe('00110');
    expect(measured({}, [version({ times: ['08:00'] }, '04T12:00')])).toBe('0');
    expect(measured({}, [{ ...TWICE, schedule: parseSchedule({ kind: 'as_needed', max_per_day: 4 }) }])).toBe(
      '',
    );
  });

  it('on a day without a dose within the plan nothing has to be removed', () => {
    const cycle = version({ times: ['08:00'], cycle: { days_on: 2, days_off: 1, anchor: '2026-03-01' } });
    expect(measured({}, [cycle])).toBe('00100');
    expect(taxonomyFigures(days({}, [cycle]), 'measured').implementation).toMatchObject({
      numerator: 1,
      denominator: 5,
      break_days: 1,
    });
  });

  it('leaves out days in a period of which the bottle says nothing, whichever midnight it begins at', () => {
    const without = (...periods: UnmonitoredPeriod[]): string =>
      measured({ plan: { versions: [TWICE], periods } });
    const all = { reason: 'hospital' as const, from: at('02T00:00'), to: at('04T00:00') };
    const others = { reason: 'travel' as const, from: at('03T03:00'), to: at('04T03:00') };
    expect(without(all, others)).toBe('0nn00');
    expect(without(others)).toBe('00n00');
    expect(without({ reason: 'device_fault', from: at('04T13:00') })).toBe('000nn');
    expect(without({ from: at('02T13:00'), to: at('02T14:00') })).toBe('0n000');
  });

  it('leaves out days without a dose that began before the first report: nobody saw them', () => {
    const cycle = version({ times: ['08:00'], cycle: { days_on: 1, days_off: 2, anchor: '2026-03-01' } });
    const since = (monitored_since?: Date | null): string => measured({ monitored_since }, [cycle]);
    expect(since()).toBe('01101');
    expect(since(at('02T03:00'))).toBe('01101');
    expect(since(at('02T03:00:00.001'))).toBe('0u101');
    expect(since(null)).toBe('0uu0u');
    // a backlog says what happened
    const removals = removed('03T10:00');
    expect(measured({ monitored_since: at('05T12:00'), removals }, [cycle])).toBe('0u10u');
  });

  it('leaves out days with a dose that is unknown or has no outcome', () => {
    const outcomes = [
      { scheduled_at: at('01T08:00'), outcome: 'unknown' as const, pills_taken: 0 },
      { scheduled_at: at('01T20:00'), outcome: 'missed' as const, pills_taken: 0 },
      { scheduled_at: at('02T08:00'), outcome: 'missed' as const, pills_taken: 0 },
    ];
    expect(measured({ to: at('03T00:00'), outcomes })).toBe('un');
    const attested = [{ scheduled_at: at('01T08:00'), outcome: 'taken' as const }];
    expect(reported({ to: at('03T00:00'), outcomes, attested })).toBe('0n');
  });
});

describe('days with the prescribed amount, with people’s word', () => {
  const SLOT = { scheduled_at: at('01T08:00') };
  const one = removed('01T20:00');
  const first = (input: Partial<DosingDaysInput>): string => reported(input)[0]!;

  it('adds a dose that was removed earlier, and takes away pills that were no dose', () => {
    const elsewhere = [{ ...SLOT, outcome: 'taken' as const, pills: 1, source: 'elsewhere' as const }];
    expect(first({ removals: one })).toBe('0');
    expect(first({ removals: one, attested: elsewhere })).toBe('1');
    expect(first({ removals: one, attested: elsewhere, no_doses: one })).toBe('0');
    expect(measured({ removals: one, attested: elsewhere, no_doses: one })[0]).toBe('0');
  });

  it('a pill from the bottle is one that was measured, if one was without a dose', () => {
    const attested = [{ ...SLOT, outcome: 'taken' as const, pills: 1, source: 'from_bottle' as const }];
    expect(first({ removals: one, attested })).toBe('0');
    const outcomes = [
      { ...SLOT, outcome: 'missed' as const, pills_taken: 0 },
      { scheduled_at: at('01T20:00'), outcome: 'taken_on_time' as const, pills_taken: 1 },
    ];
    expect(first({ removals: one, attested, outcomes, to: at('02T00:00') })).toBe('1');
  });

  it('a removal for later is none of its day', () => {
    const outcomes = [
      { ...SLOT, outcome: 'taken_on_time' as const, pills_taken: 1 },
      { scheduled_at: at('01T20:00'), outcome: 'taken_on_time' as const, pills_taken: 1 },
    ];
    const both = { removals: removed('01T08:00', '01T20:00'), outcomes, to: at('02T00:00') };
    expect(reported(both)).toBe('1');
    expect(reported({ ...both, attested: [{ ...SLOT, outcome: 'not_taken' }] })).toBe('0');
  });

  it('what was skipped on medical advice is not expected; a day of nothing else is left out', () => {
    const skipped = { outcome: 'skipped' as const, reason: 'doctors_advice' as const };
    const attested = [{ ...SLOT, ...skipped }];
    expect(first({ removals: one, attested })).toBe('1');
    expect(first({ attested: [...attested, { scheduled_at: at('01T20:00'), ...skipped }] })).toBe('e');
  });
});

describe('several bottles, and the end of a treatment', () => {
  it('a day has the prescribed amount if each bottle has it, and is left out with one of them', () => {
    const both = removed('01T08:00', '01T20:00', '02T08:00', '02T20:00');
    const one = days({ removals: both });
    const other = days({
      removals: both.slice(0, 2),
      plan: { versions: [TWICE], periods: [{ reason: 'travel', from: at('05T00:00') }] },
    });
    const common = commonDays([one, other.slice(1), other.slice(0, 1)]);
    expect(common.map(({ measured: figure }) => figure.implemented)).toEqual([1, 0, 0, 0, null]);
  });

  it('is discontinued after 30 days without a dose, all prescribed and known', () => {
    const span = { to: at('31T00:00'), now: new Date('2026-05-01T00:00Z') };
    const persistence = (input: Partial<DosingDaysInput>) =>
      taxonomyFigures(days({ ...span, ...input }), 'measured').persistence;
    const removals = removed('01T08:00');
    const long = { to: new Date('2026-04-01T00:00Z'), removals };
    expect(persistence(long)).toEqual({ last_dose_on: '2026-03-01', discontinued: true });
    expect(persistence({ removals })).toEqual({ last_dose_on: '2026-03-01', discontinued: false });
    const period = { reason: 'travel' as const, from: at('10T00:00'), to: at('11T00:00') };
    const hidden = { plan: { versions: [TWICE], periods: [period] } };
    expect(persistence({ ...long, ...hidden, to: new Date('2026-04-02T00:00Z') }).discontinued).toBeNull();
    expect(persistence({})).toEqual({ last_dose_on: null, discontinued: null });
  });
});
