const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** One hour in milliseconds. */
export const HOUR_MS = UNITS.h;

/** 24 hours in milliseconds: an elapsed day, not a calendar day. */
export const DAY_MS = UNITS.d;

/**
 * Reads a duration such as `"90m"`, `"2h"` or `"1d"`: one whole number and one of `ms s m h d`.
 *
 * @returns milliseconds (`1d` is 24 hours of elapsed time), or undefined when the text is anything else
 */
export function parseDuration(text: unknown): number | undefined {
  const found = typeof text === 'string' ? /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) : null;
  return found ? Number(found[1]) * UNITS[found[2] as keyof typeof UNITS] : undefined;
}
