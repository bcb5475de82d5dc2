import fc from 'fast-check';
import { parseSchedule, type ScheduleVersion } from '../doses/index.js';
import { judgeCountMismatch, type MismatchState } from './count-mismatch.js';
import { daysOfSupply, judgeLowSupply } from './low-supply.js';
import { learnPillWeight, type PillWeight } from './pill-weight.js';

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

describe('learnPillWeight', () => {
  const learned = (weighings: [number, number][]) =>
    weighings.reduce<PillWeight | undefined>(
      (weight, [mass_of_contents, number_of_pills]) =>
        learnPillWeight(weight, { mass_of_contents, number_of_pills }),
      undefined,
    );

  it('is the mean of the weighings', () => {
    expect(
      learned([
        [5, 10],
        [5.5, 10],
      ]),
    ).toEqual({ mass: 0.525, samples: 2 });
  });

  it('leaves out nearly empty bottles, and outliers once it is settled', () => {
    expect(
      learned([
        [2, 4],
        [0, 10],
      ]),
    ).toBeUndefined();
    const settled = Array.from({ length: 5 }, (): [number, number] => [5, 10]);
    expect(learned([...settled, [8, 10]])).toEqual({ mass: 0.5, samples: 5 });
  });

  it('stays within what was weighed', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.1, max: 2, noNaN: true }), { minLength: 1 }), (masses) => {
        const weight = learned(masses.map((mass) => [mass * 10, 10]))!;
        expect(weight.mass).toBeGreaterThanOrEqual(Math.min(...masses) - 1e-9);
        expect(weight.mass).toBeLessThanOrEqual(Math.max(...masses) + 1e-9);
      }),
    );
  });
});

describe('judgeCountMismatch: load cell creeps with heat (HX711 libraries’ issues)', () => {
  const weight = { mass: 0.5, samples: 10 };
  const after = (pillsByWeight: number[], count = 20) => {
    let state: MismatchState | undefined;
    return pillsByWeight.map((pills) => {
      ({ state } = judgeCountMismatch(
        state,
        { mass_of_contents: pills / 2, number_of_pills: count },
        weight,
      ));
      return state.mismatch;
    });
  };

  it('begins at the second difference in a row beyond the tolerance', () => {
    expect(after([20, 22, 22, 22])).toEqual([false, false, true, true]);
    expect(after([22, 20, 22, 20])).toEqual([false, false, false, false]);
    expect(after([18.5, 18.5])).toEqual([false, false]);
    expect(after([18.4, 18.4])).toEqual([false, true]);
  });

  it('ends at the second in a row well below it: between the two nothing changes', () => {
    expect(after([22, 22, 21.2, 20.9, 21.2, 20.9])).toEqual([false, true, true, true, true, true]);
    expect(after([22, 22, 20.5, 20.5])).toEqual([false, true, true, false]);
  });

  it('allows a share of a large count', () => {
    expect(after([104, 104], 100)).toEqual([false, false]);
    expect(after([106, 106], 100)).toEqual([false, true]);
  });

  it('says nothing before the weight is settled', () => {
    const weighing = { mass_of_contents: 50, number_of_pills: 1 };
    for (const unsettled of [undefined, { mass: 0.5, samples: 4 }]) {
      expect(judgeCountMismatch(undefined, weighing, unsettled)).toEqual({
        state: { mismatch: false, against: 0 },
      });
    }
  });
});
