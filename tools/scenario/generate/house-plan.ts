import type { Random } from '../../simulator/random.js';
import { DAY, HOUR, type HouseFacts, MINUTE, SECOND, type Stretch } from './oracle/facts.js';

/** What goes wrong with the service itself. */
export interface HousePlan {
  /** device-api does not run. */
  deaf: Stretch[];
  /** No notifier runs. */
  blind: Stretch[];
}

/** Draws outages of the two services; both begin and end between the minutes at which checks run. */
export function planHouse(random: Random, during: Stretch): HousePlan {
  const days = (during.to - during.from) / DAY;
  return {
    deaf: draw(random, during, Math.ceil(days / 3), () =>
      random.chance(0.6) ? random.between(1, 25) * MINUTE : random.between(0.5, 5) * HOUR,
    ),
    blind: draw(random, during, Math.ceil(days / 5), () =>
      random.chance(0.5) ? random.between(2, 50) * MINUTE : random.between(1, 7) * HOUR,
    ),
  };
}

/** The same as the oracle sees it. */
export function factsOf({ deaf, blind }: HousePlan, during: Stretch): HouseFacts {
  return { ...during, listening: without(deaf, during), notifying: without(blind, during) };
}

function draw(random: Random, { from, to }: Stretch, count: number, length: () => number): Stretch[] {
  const part = (to - from) / count;
  return Array.from({ length: count }, (_, index) => {
    const begins = from + (index + random.between(0.05, 0.6)) * part;
    return { from: offTheMinute(begins), to: offTheMinute(begins + Math.min(length(), part / 3)) };
  });
}

function offTheMinute(at: number): number {
  return Math.floor(at / MINUTE) * MINUTE + 30 * SECOND + ((at % 997) | 0);
}

function without(gaps: readonly Stretch[], { from, to }: Stretch): Stretch[] {
  const edges = [from, ...gaps.flatMap((gap) => [gap.from, gap.to]), Infinity];
  const stretches: Stretch[] = [];
  for (let edge = 0; edge < edges.length; edge += 2) {
    stretches.push({ from: edges[edge]!, to: Math.min(edges[edge + 1]!, to + DAY) });
  }
  return stretches;
}
