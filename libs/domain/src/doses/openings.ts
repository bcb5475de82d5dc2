import type { Removal } from './match.js';

/** Adds to each removal when the bottle was opened for it: the last opening since the closing before. */
export function withOpenings(
  removals: readonly Removal[],
  actions: readonly { time: Date; action: 'opened' | 'closed' }[],
): Removal[] {
  const inOrder = actions.toSorted((one, other) => one.time.getTime() - other.time.getTime());
  return removals.map((removal) => {
    const before = inOrder.findLast(
      ({ time, action }) => time < removal.time || (action === 'opened' && +time === +removal.time),
    );
    return before?.action === 'opened' ? { ...removal, opened_at: before.time } : removal;
  });
}
