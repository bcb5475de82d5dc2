import { generateFleet } from './fleet.js';
import type { GeneratedBottle } from './generated-bottle.js';

it.each([
  [1, 15, 1],
  [1, 24, 2],
])(
  'fleet %i of %i bottles in %i days: weights are wrong only after a pill’s weight is known',
  (seed, bottles, days) => {
    const fleet = generateFleet({ seed, bottles, days });
    const knownFrom = Math.min(...fleet.bottles.map(({ traffic }) => fiveCountsSentAt(traffic.sendings)));
    const wrong = fleet.bottles.filter(({ truth }) =>
      truth.alerts.some(({ kind }) => kind === 'count_mismatch'),
    );
    for (const { truth, plan } of wrong) {
      expect(plan.miscounts).toBeDefined();
      for (const { kind, raisedAt } of truth.alerts)
        if (kind === 'count_mismatch') expect(raisedAt).toBeGreaterThan(knownFrom);
    }
    // a short one has none: no bottle is closed at five counts in a day
    expect(wrong.length > 0).toBe(days > 1);
    // of its two bottles one alone has the doses, and each its own silences and lids
    const beside = fleet.bottles.filter(({ plan }) => plan.sharing);
    expect(beside.length).toBeGreaterThan(0);
    for (const { plan, truth } of beside) {
      expect(truth.outcomes.size).toBe(0);
      expect(truth.alerts.map(({ bottle }) => bottle)).toEqual(truth.alerts.map(() => plan.key));
      expect(fleet.bottles.some((first) => first.plan.key === plan.sharing!.of)).toBe(true);
    }
  },
);

/** When the fifth count of a closed bottle was sent. */
function fiveCountsSentAt(sendings: GeneratedBottle['traffic']['sendings']): number {
  const counts = new Set<number>();
  for (const { at, items } of sendings) {
    for (const { action, pillsLeft } of items) if (action === 'closed') counts.add(pillsLeft);
    if (counts.size >= 5) return at;
  }
  return Infinity;
}
