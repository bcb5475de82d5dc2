import { scheduleStateAt } from './schedule-state.js';
import { at, version } from './testing.js';

const daily = version({ kind: 'times_of_day', times: ['08:00'] }, 'UTC', '2025-06-01T12:00Z');
const pause = (from: string, to: string) => ({ from: at(from), to: at(to) });

it('is none without a schedule', () => {
  expect(scheduleStateAt([], [], at('2025-06-01T00:00Z'))).toEqual({ state: 'none' });
});

it('starts at effective_from, inclusive', () => {
  const until = daily.effective_from;
  expect(scheduleStateAt([daily], [], at('2025-06-01T11:59:59.999Z'))).toEqual({
    state: 'not_started',
    until,
  });
  expect(scheduleStateAt([daily], [], until)).toEqual({ state: 'active' });
});

it('is paused from the start of a pause, inclusive, to its end, exclusive', () => {
  const periods = [pause('2025-06-02T00:00Z', '2025-06-03T00:00Z')];
  const paused = { state: 'paused', until: at('2025-06-03T00:00Z') };
  expect(scheduleStateAt([daily], periods, at('2025-06-01T23:59:59.999Z'))).toEqual({ state: 'active' });
  expect(scheduleStateAt([daily], periods, at('2025-06-02T00:00Z'))).toEqual(paused);
  expect(scheduleStateAt([daily], periods, at('2025-06-02T23:59:59.999Z'))).toEqual(paused);
  expect(scheduleStateAt([daily], periods, at('2025-06-03T00:00Z'))).toEqual({ state: 'active' });
});

it('is paused until the last of several pauses without a gap ends, in any order', () => {
  const periods = [
    pause('2025-06-03T00:00Z', '2025-06-04T00:00Z'),
    pause('2025-06-02T00:00Z', '2025-06-03T00:00Z'),
    pause('2025-06-02T06:00Z', '2025-06-02T07:00Z'),
    pause('2025-06-04T00:00:00.001Z', '2025-06-05T00:00Z'),
  ];
  expect(scheduleStateAt([daily], periods, at('2025-06-02T12:00Z'))).toEqual({
    state: 'paused',
    until: at('2025-06-04T00:00Z'),
  });
});

it('is as needed by the version in effect', () => {
  const later = version({ kind: 'as_needed', max_per_day: 2 }, 'UTC', '2025-06-02T00:00Z');
  expect(scheduleStateAt([daily, later], [], at('2025-06-01T23:59:59.999Z'))).toEqual({ state: 'active' });
  expect(scheduleStateAt([daily, later], [], at('2025-06-02T00:00Z'))).toEqual({ state: 'as_needed' });
});

it('has ended when no dose is due any more', () => {
  const never = version(
    { kind: 'times_of_day', times: ['08:00'], days_of_week: ['mon'] },
    'UTC',
    '2025-06-01T00:00Z',
  );
  const stop = [{ from: at('2025-06-03T00:00Z'), to: at('2027-01-01T00:00Z') }];
  expect(scheduleStateAt([never], stop, at('2025-06-02T07:59:59.999Z'))).toEqual({ state: 'active' });
  expect(scheduleStateAt([never], stop, at('2025-06-02T08:00Z'))).toEqual({ state: 'ended' });
});
