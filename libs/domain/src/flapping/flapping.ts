/** An alert of the same bottle and kind that has ended. */
export interface EndedAlert {
  ended_at: Date;
  /** Whether it was one that came and went. */
  flapping?: boolean | undefined;
}

/** So many may come and go and are told as they do. */
const TOLD_AT_ONCE = 2;
const REMEMBERED_DELAYS = 3;

/** Alerts that ended before this do not count any more. */
export function flappingSince(now: Date, clearDelayMs: number): Date {
  return new Date(now.getTime() - REMEMBERED_DELAYS * clearDelayMs);
}

/**
 * Whether a trouble that begins now is one that comes and goes: two like it ended within the last three delays, or
 * one that came and went. It is told at once, as any other. Only its end waits until it has been gone for the whole
 * delay; if it comes back before, it is the same alert, and nobody is told anything.
 */
export function isFlapping(ended: readonly EndedAlert[], now: Date, clearDelayMs: number): boolean {
  const since = flappingSince(now, clearDelayMs);
  const recent = ended.filter(({ ended_at }) => ended_at >= since);
  return recent.length >= TOLD_AT_ONCE || recent.some(({ flapping }) => flapping === true);
}
