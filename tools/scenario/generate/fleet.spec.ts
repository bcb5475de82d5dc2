import { generateFleet } from './fleet.js';
import type { GeneratedBottle } from './generated-bottle.js';

it.each([
  [1, 200, 1],
  [1, 40, 3],
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
