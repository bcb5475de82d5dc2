import { parseSchedule, type ScheduleVersion } from '../doses/index.js';
import { daysOfSupply, judgeLowSupply } from './low-supply.js';

const at = (iso: string) => new Date(iso);
const version = (schedule: object): ScheduleVersion => ({
  effective_from: at('2025-01-01T00:00Z'),
  time_zone: 'UTC',
  schedule: parseSchedule(schedule),
});
const twice = version({ kind: 'times_of_day', times: ['08:00', '20:00'] });
const needed = version({ kind: 'as_needed', max_per_day: 3, pills_per_dose: 2 });
const now = at('2025-06-01T07:00Z');
const plan = { versions: [twice], pauses: [], now };

describe('daysOfSupply', () => {
  it('ends at the first dose that cannot be taken whole', () => {
    expect(daysOfSupply({ ...plan, pills: 0 }).runs_out_at).toEqual(at('2025-06-01T08:00Z'));
    expect(daysOfSupply({ ...plan, pills: 3 })).toEqual({
      days: 37 / 24,
      runs_out_at: at('2025-06-02T20:00Z'),
    });
    const pairs = version({ kind: 'times_of_day', times: ['08:00'], pills_per_dose: 2 });
    expect(daysOfSupply({ ...plan, versions: [pairs], pills: 3 }).runs_out_at).toEqual(
      at('2025-06-02T08:00Z'),
    );
  });

  it('leaves out doses taken early, pauses, and stops at 400 days', () => {
    expect(daysOfSupply({ ...plan, taken: [at('2025-06-01T08:00Z')], pills: 0 }).runs_out_at).toEqual(
      at('2025-06-01T20:00Z'),
    );
    const pauses = [{ from: now, to: at('2025-06-08T00:00Z') }];
    expect(daysOfSupply({ ...plan, pauses, pills: 0 }).runs_out_at).toEqual(at('2025-06-08T08:00Z'));
    expect(daysOfSupply({ ...plan, pills: 10_000 })).toEqual({ days: 400 });
  });

  it('takes the daily maximum of an as-needed schedule', () => {
    expect(daysOfSupply({ ...plan, versions: [needed], pills: 12 }).days).toBeCloseTo(3);
  });
});

describe('judgeLowSupply', () => {
  it.each([
    [6, false],
    [5, true],
  ])('with %i pills for three days of two doses: low is %s', (pills, low) => {
    expect(judgeLowSupply({ ...plan, pills, days: 3 })).toMatchObject({ state: { low }, needed: 6 });
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
