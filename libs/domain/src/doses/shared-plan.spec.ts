import { idOf } from '../bottle-state/testing.js';
import { bottlesOfPlan, removalsOfPlan, sinceOfPlans } from './plan-bottles.js';
import { endSharedPlan, lastingPlan, sharedPlanAt, sharedWith } from './shared-plan.js';
import { at } from './testing.js';

const [HOME, WORK, OTHER] = [idOf(1), idOf(2), idOf(3)];
const [EIGHT, NOON, SIX] = [at('2026-03-02T08:00Z'), at('2026-03-02T12:00Z'), at('2026-03-02T18:00Z')];
const LASTING = { of: HOME, from: NOON };
const ENDED = { of: OTHER, from: EIGHT, until: NOON };

describe('the plans of others that a bottle is for', () => {
  it('have a beginning that is included, and an end that is not', () => {
    expect(sharedPlanAt([ENDED, LASTING], EIGHT)).toBe(ENDED);
    expect(sharedPlanAt([ENDED, LASTING], NOON)).toBe(LASTING);
    expect(sharedPlanAt([ENDED], NOON)).toBeUndefined();
    expect(sharedPlanAt(undefined, NOON)).toBeUndefined();
    expect(lastingPlan([ENDED, LASTING])).toBe(LASTING);
    expect(sharedWith([ENDED, LASTING], HOME)).toEqual([LASTING]);
  });

  it('end with the one that lasts, and never before it began', () => {
    expect(endSharedPlan([ENDED, LASTING], SIX)).toEqual([ENDED, { ...LASTING, until: SIX }]);
    expect(endSharedPlan([ENDED, LASTING], EIGHT)).toEqual([ENDED, { ...LASTING, until: NOON }]);
  });
});

describe('the bottles of a plan', () => {
  const plan = { bottle: { _id: HOME }, members: [{ bottle: { _id: WORK }, shared: [LASTING] }] };
  const removed = new Map([
    [HOME.toHexString(), [EIGHT, SIX].map((time) => ({ time, pills_taken: 1 }))],
    [WORK.toHexString(), [EIGHT, NOON, SIX].map((time) => ({ time, pills_taken: 2 }))],
  ]);

  it('give it what was removed from each while it was for it', () => {
    expect(removalsOfPlan(plan, EIGHT, { removed })).toEqual([
      { id: '0', time: EIGHT, pills: 1 },
      { id: '1', time: SIX, pills: 1 },
      { id: '1:1', bottle: 1, time: NOON, pills: 2 },
      { id: '1:2', bottle: 1, time: SIX, pills: 2 },
    ]);
    expect(removalsOfPlan(plan, NOON, { removed }).map(({ time }) => time)).toEqual([SIX, NOON, SIX]);
    expect(removalsOfPlan(plan, undefined, { removed })).toEqual([]);
    const own = { bottle: { _id: WORK, shared_plans: [LASTING] }, members: [] };
    expect(removalsOfPlan(own, EIGHT, { removed }).map(({ time }) => time)).toEqual([EIGHT]);
  });

  it('are opened each for itself', () => {
    const openings = new Map([
      [HOME.toHexString(), [{ time: at('2026-03-02T11:59Z'), action: 'opened' as const }]],
    ]);
    const found = removalsOfPlan(plan, EIGHT, { removed, openings });
    expect(found.filter(({ opened_at }) => opened_at).map(({ id }) => id)).toEqual(['1']);
  });

  it('are read once each, from the earliest time that a plan asks for', () => {
    const own = { bottle: { _id: WORK }, members: [] };
    const times = new Map([
      [HOME, NOON],
      [WORK, EIGHT],
    ]);
    expect(sinceOfPlans([plan, own], ({ bottle }) => times.get(bottle._id))).toEqual([
      { bottle_id: HOME, since: NOON },
      { bottle_id: WORK, since: EIGHT },
    ]);
    expect(bottlesOfPlan(plan).map(({ id }) => id)).toEqual([HOME, WORK]);
  });
});
