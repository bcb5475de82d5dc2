import type { Spread } from './rounds.js';

/** One line of the table: what was held against what, and whether it is enough. */
export interface Line {
  /** As the lines are numbered in docs/performance.md. */
  number: number;
  what: string;
  /** What it should be, in words: `at least 0.85`. */
  target: string;
  value: Spread;
  unit?: 'ms' | 's' | 'MB';
  met: boolean;
  /** The figures behind the ratio, in the order to be read. */
  figures: Record<string, string>;
}

/** A line that is met from `target` up. */
export function atLeast(number: number, what: string, target: number, value: Spread): Omit<Line, 'figures'> {
  return { number, what, target: `at least ${target}`, value, met: value.median >= target };
}

/** A line that is met up to `target`. */
export function atMost(
  number: number,
  what: string,
  target: number,
  value: Spread,
  unit?: Line['unit'],
): Omit<Line, 'figures'> {
  const limit = unit ? `${target} ${unit}` : String(target);
  return {
    number,
    what,
    target: `at most ${limit}`,
    value,
    ...(unit && { unit }),
    met: value.median <= target,
  };
}

/** `7.68M/s`, `6.10K/s`, `310/s`. */
export function perSecond(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toPrecision(3)}M/s`;
  return value >= 1_000 ? `${(value / 1_000).toPrecision(3)}K/s` : `${value.toPrecision(3)}/s`;
}
