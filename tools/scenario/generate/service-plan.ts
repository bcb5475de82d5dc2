import type { Random } from '../../random.js';
import { DAY, HOUR, type ServiceFacts, MINUTE, SECOND, type Span } from './oracle/facts.js';

/** What goes wrong with the service itself. */
export interface ServicePlan {
  /** device-api does not run, or is frozen. */
  deaf: (Span & { frozen: boolean })[];
  /** No notifier runs, or all are frozen. */
  blind: (Span & { frozen: boolean })[];
  /** Neither works: they do not reach the database, or do not run. */
  both: (Span & { part: 'database' | 'all' })[];
}

/** Draws outages of the two services; both begin and end between the minutes at which checks run. */
export function planService(random: Random, during: Span): ServicePlan {
  const days = (during.to - during.from) / DAY;
  const deaf = draw(random, during, Math.ceil(days / 3), () =>
    random.chance(0.6) ? random.between(1, 25) * MINUTE : random.between(0.5, 5) * HOUR,
  ).map((span) => ({ ...span, frozen: random.chance(0.4) }));
  const blind = draw(random, during, Math.ceil(days / 5), () =>
    random.chance(0.5) ? random.between(2, 50) * MINUTE : random.between(1, 7) * HOUR,
  ).map((span) => ({ ...span, frozen: random.chance(0.4) }));
  const drawn = deaf.map(({ from, to }) => ({
    span: { from, to, part: random.pick(['database', 'all'] as const) },
    isBoth: random.chance(0.4),
  }));
  const both = drawn.filter(({ isBoth }) => isBoth).map(({ span }) => span);
  return {
    deaf: deaf.filter((_, index) => !drawn[index]!.isBoth),
    blind: blind.filter(
      ({ from, to }) => !both.some((other) => other.from < to + HOUR && from - HOUR < other.to),
    ),
    both,
  };
}

/** The same as the oracle sees it. */
export function factsOf({ deaf, blind, both }: ServicePlan, during: Span): ServiceFacts {
  return {
    ...during,
    accepting: without([...deaf, ...both], during),
    notifying: without([...blind, ...both], during),
  };
}

function draw(random: Random, { from, to }: Span, count: number, length: () => number): Span[] {
  const part = (to - from) / count;
  return Array.from({ length: count }, (_, index) => {
    const begins = from + (index + random.between(0.05, 0.6)) * part;
    return { from: offTheMinute(begins), to: offTheMinute(begins + Math.min(length(), part / 3)) };
  });
}

function offTheMinute(at: number): number {
  return Math.floor(at / MINUTE) * MINUTE + 30 * SECOND + ((at % 997) | 0);
}

function without(gaps: readonly Span[], { from, to }: Span): Span[] {
  const inOrder = gaps.toSorted((one, other) => one.from - other.from);
  const edges = [from, ...inOrder.flatMap((gap) => [gap.from, gap.to]), Infinity];
  const spans: Span[] = [];
  for (let edge = 0; edge < edges.length; edge += 2) {
    spans.push({ from: edges[edge]!, to: Math.min(edges[edge + 1]!, to + DAY) });
  }
  return spans;
}
