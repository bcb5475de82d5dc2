import { fillingOf } from './pillbox.js';
import { at, version } from './testing.js';

const removed = at('2026-03-02T08:05Z');
const twice = version({ kind: 'times_of_day', times: ['08:00', '20:00'], pills_per_dose: 2 });

describe('for which doses pills suffice that were removed at once', () => {
  const filling = (pills: number, more: Partial<Parameters<typeof fillingOf>[0]> = {}) =>
    fillingOf({ versions: [twice], periods: [], ...more }, removed, pills);

  it('is those after the removal, until the first that is to be taken from the bottle again', () => {
    expect(filling(2)).toEqual({ doses: 1, until: at('2026-03-03T08:00Z') });
    expect(filling(28)).toEqual({ doses: 14, until: at('2026-03-09T20:00Z') });
  });

  it('is none if a part of a dose is left over', () => {
    expect([filling(1), filling(3)]).toEqual([undefined, undefined]);
  });

  it('is none beyond two months, and leaves out the doses of a period without monitoring', () => {
    expect(filling(1_000)).toBeUndefined();
    const periods = [{ from: at('2026-03-02T12:00Z'), to: at('2026-03-04T00:00Z') }];
    expect(filling(2, { periods })).toEqual({ doses: 1, until: at('2026-03-04T20:00Z') });
  });

  it('ends with the window of the last dose of a plan', () => {
    const last = version({ kind: 'as_needed', max_per_day: 4 }, 'UTC', '2026-03-03T00:00Z');
    expect(filling(2, { versions: [twice, last] })).toEqual({ doses: 1, until: at('2026-03-03T00:00Z') });
    expect(filling(4, { versions: [twice, last] })).toBeUndefined();
  });
});
