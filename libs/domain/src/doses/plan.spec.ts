import fc from 'fast-check';
import { versionAt } from './as-needed.js';
import { endPeriods, endPlan, planAt, presentOf, withoutStep, withStep } from './plan.js';
import type { ScheduleVersion } from './schedule.js';
import { slotsBetween } from './slots.js';
import { at, daily, version } from './testing.js';

const NOW = at('2026-03-02T12:00Z');
const day = (date: number): Date => at(`2026-03-${String(date).padStart(2, '0')}T00:00Z`);

/** A step of so many pills at 08:00. */
const step = (pills: number, from: Date, more: object = {}): ScheduleVersion =>
  version(daily(['08:00'], { pills_per_dose: pills, ...more }), 'UTC', from.toISOString());
const shown = (versions: readonly ScheduleVersion[]) =>
  versions.map(({ effective_from, schedule }) => [effective_from.getUTCDate(), schedule.pills_per_dose]);

const TAPER = [step(4, day(1)), step(3, day(8)), step(2, day(15))];

describe('a new step', () => {
  it.each<[string, ScheduleVersion, object, number[][]]>([
    [
      'leaves the steps that begin later',
      step(5, NOW),
      {},
      [
        [1, 4],
        [2, 5],
        [8, 3],
        [15, 2],
      ],
    ],
    [
      'comes between them',
      step(5, day(10)),
      {},
      [
        [1, 4],
        [8, 3],
        [10, 5],
        [15, 2],
      ],
    ],
    [
      'comes after them',
      step(1, day(22)),
      {},
      [
        [1, 4],
        [8, 3],
        [15, 2],
        [22, 1],
      ],
    ],
    [
      'replaces the one that begins at the same time',
      step(5, day(8)),
      {},
      [
        [1, 4],
        [8, 5],
        [15, 2],
      ],
    ],
    [
      'replaces the later ones if it says so',
      step(5, NOW),
      { replaces_later: true },
      [
        [1, 4],
        [2, 5],
      ],
    ],
    [
      'is moved to later',
      step(3, day(10)),
      { replaces: day(8) },
      [
        [1, 4],
        [10, 3],
        [15, 2],
      ],
    ],
    [
      'is moved behind another',
      step(3, day(20)),
      { replaces: day(8) },
      [
        [1, 4],
        [15, 2],
        [20, 3],
      ],
    ],
    [
      'is moved to another’s time',
      step(3, day(15)),
      { replaces: day(8) },
      [
        [1, 4],
        [15, 3],
      ],
    ],
    [
      'is moved to now',
      step(2, NOW),
      { replaces: day(15) },
      [
        [1, 4],
        [2, 2],
        [8, 3],
      ],
    ],
  ])('%s', (_, made, replaced, expected) => expect(shown(withStep(TAPER, made, replaced))).toEqual(expected));

  it('changes no slot before it begins, whatever it replaces', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 9 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 28 }), fc.boolean(), (drawn, begins, replaces_later) => {
        const plan = drawn.reduce<ScheduleVersion[]>(
          (all, [date, pills]) => withStep(all, step(pills, day(date))),
          [],
        );
        const changed = withStep(plan, step(9, day(begins)), { replaces_later });
        const before = (versions: ScheduleVersion[]) => slotsBetween(versions, [], day(1), day(begins));
        expect(before(changed)).toEqual(before(plan));
        const begun = changed.map(({ effective_from }) => +effective_from);
        expect(begun).toEqual([...new Set(begun)].sort((one, other) => one - other));
      }),
    );
  });
});

describe('a removed step', () => {
  const remove = (versions: readonly ScheduleVersion[], begins: Date, now = NOW) => {
    const left = withoutStep(versions, begins, now, 'Europe/Berlin');
    return typeof left === 'string' ? left : shown(left);
  };

  it('that is planned leaves its time to the one before it', () => {
    expect(remove(TAPER, day(8))).toEqual([
      [1, 4],
      [15, 2],
    ]);
    expect(remove(TAPER, day(15))).toEqual([
      [1, 4],
      [8, 3],
    ]);
    expect(remove([step(4, day(8))], day(8))).toEqual([]);
  });

  it('that is in effect keeps its past; from now on it is the one before it, and later ones stay', () => {
    expect(remove(TAPER, day(8), day(9))).toEqual([
      [1, 4],
      [8, 3],
      [9, 4],
      [15, 2],
    ]);
    expect(remove(TAPER, day(15), day(20))).toEqual([
      [1, 4],
      [8, 3],
      [15, 2],
      [20, 3],
    ]);
  });

  it('leaves its time to nothing if the course before has no doses left', () => {
    const course = version(daily(['08:00', '20:00'], { doses: 1 }), 'UTC', '2026-03-01T00:00Z');
    const begins = at('2026-03-01T09:00Z');
    const left = withoutStep([course, step(3, begins)], begins, at('2026-03-01T10:00Z'), 'UTC');
    expect(slotsBetween(left as ScheduleVersion[], [], day(1), day(28))).toHaveLength(1);
  });

  it('is not found when another has followed it, or it never was', () => {
    expect(remove(TAPER, day(1), day(9))).toBe('not_found');
    expect(remove(TAPER, day(9))).toBe('not_found');
    expect(remove([], day(9))).toBe('not_found');
  });

  it('stays if it is in effect and none was before it', () => {
    expect(remove(TAPER, day(1))).toBe('first');
  });

  it('gives way to the one before it in the bottle’s present zone, unless that has its own', () => {
    const zoneOf = (first: ScheduleVersion) =>
      (withoutStep([first, step(3, day(8))], day(8), day(9), 'Europe/Berlin') as ScheduleVersion[]).at(-1);
    expect(zoneOf(step(4, day(1)))).toMatchObject({ time_zone: 'Europe/Berlin', effective_from: day(9) });
    expect(zoneOf(step(4, day(1), { time_zone: 'Asia/Tokyo' }))).toMatchObject({ time_zone: 'Asia/Tokyo' });
    const planned = step(4, day(1), { effective_from: day(1).toISOString() });
    expect(zoneOf(planned)!.schedule.effective_from).toBeUndefined();
  });
});

it('the plan is the step in effect and those that begin later', () => {
  expect(shown(planAt(TAPER, day(8)))).toEqual([
    [8, 3],
    [15, 2],
  ]);
  expect(shown(planAt(TAPER, at('2026-02-01T00:00Z')))).toEqual(shown(TAPER));
});

it('the present is never before a step that was saved to begin at once, by another process’s clock', () => {
  const ahead = new Date(NOW.getTime() + 5);
  expect(presentOf([step(4, day(1)), step(3, ahead)], NOW)).toEqual(ahead);
  const planned = step(3, ahead, { effective_from: ahead.toISOString() });
  expect(presentOf([step(4, day(1)), planned], NOW)).toEqual(NOW);
  // it was to begin before it was saved
  const late = step(3, ahead, { effective_from: day(1).toISOString() });
  expect(presentOf([late], NOW)).toEqual(ahead);
});

describe('the plan ends', () => {
  it.each<[string, ScheduleVersion[], Date, string[]]>([
    [
      'the step in effect ends, and planned ones are dropped',
      TAPER,
      at('2026-03-10T12:00Z'),
      ['8', '9', '10'],
    ],
    ['without a step in effect, all are dropped', [step(1, day(20))], NOW, []],
    ['once it has ended it stays so', endPlan(TAPER, at('2026-03-09T12:00Z')), day(20), ['8', '9']],
  ])('when the bottle leaves use: %s', (_what, versions, left, days) => {
    const due = slotsBetween(endPlan(versions, left), [], day(8), day(31));
    expect(due.map(({ scheduled_at }) => String(scheduled_at.getUTCDate()))).toEqual(days);
  });

  it('and the next one, of whoever has the bottle then, begins when it is assigned', () => {
    const versions = [...endPlan(TAPER, at('2026-03-09T12:00Z')), step(7, at('2026-03-12T07:30Z'))];
    expect(versionAt(versions, day(10))).toBeUndefined();
    expect(withoutStep(versions, at('2026-03-12T07:30Z'), day(13), 'UTC')).toBe('first');
    const slots = slotsBetween(versions, [], day(9), day(13));
    expect(slots.map(({ scheduled_at, early_from, pills }) => [scheduled_at, early_from, pills])).toEqual([
      [at('2026-03-09T08:00Z'), at('2026-03-09T06:00Z'), 3],
      [at('2026-03-12T08:00Z'), at('2026-03-12T07:30Z'), 7],
    ]);
  });

  it('what was paused later is not paused any more', () => {
    const periods = [
      { from: day(1), to: day(2) },
      { from: day(5), to: day(9) },
      { from: day(20), to: day(22) },
    ];
    expect(endPeriods(periods, day(7))).toEqual([
      { from: day(1), to: day(2) },
      { from: day(5), to: day(7) },
    ]);
  });
});
