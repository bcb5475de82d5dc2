import { HOUR_MS } from '#domain';
import { floor } from '../time/units.js';
import { localMidnights, wallClock } from '../time/wall-clock.js';
import { type Step, STEPS } from './steps.js';

/**
 * Where the points of a chart begin, and, last, where the last of them ends: whole steps that cover [from, to).
 * Up to an hour they are the same everywhere; longer ones follow the zone's days, which have 23 or 25 hours where
 * the clocks change.
 */
export function boundariesOf(from: Date, to: Date, step: Step, timeZone: string): Date[] {
  const length = STEPS[step];
  if (length <= HOUR_MS) return even(floor(from, length), to, length);
  // the week that holds `from` began up to six days before
  const [earlier, later] = [new Date(from.getTime() - STEPS['7d']), new Date(to.getTime() + STEPS['7d'])];
  const midnights = localMidnights(earlier, later, timeZone);
  const mondays = (): Date[] => midnights.filter((at) => wallClock(at, timeZone).getUTCDay() === 1);
  if (step === '1d' || step === '7d') return covering(step === '1d' ? midnights : mondays(), from, to);
  const parts = midnights.flatMap((midnight, index) => {
    const next = midnights[index + 1];
    return next ? even(midnight, next, length).slice(0, -1) : [midnight];
  });
  return covering(parts, from, to);
}

function even(start: Date, to: Date, length: number): Date[] {
  const count = Math.max(1, Math.ceil((to.getTime() - start.getTime()) / length));
  return Array.from({ length: count + 1 }, (_, index) => new Date(start.getTime() + index * length));
}

/** Without the steps that end before `from` or begin at or after `to`. */
function covering(boundaries: Date[], from: Date, to: Date): Date[] {
  return boundaries.filter((_, index) => {
    const [before, next] = [boundaries[index - 1], boundaries[index + 1]];
    return (next === undefined || next > from) && (before === undefined || before < to);
  });
}
