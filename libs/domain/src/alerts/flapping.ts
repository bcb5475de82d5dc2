import type { Alert } from './alert.js';
import type { AlertToEnd } from './findings.js';

/** So many alerts may end within the remembered time without being flapping. */
const UNTIL_FLAPPING = 2;
const REMEMBERED_DELAYS = 3;

/** Alerts that ended before this do not count any more. */
export function flappingSince(now: Date, clearDelayMs: number): Date {
  return new Date(now.getTime() - REMEMBERED_DELAYS * clearDelayMs);
}

/**
 * Whether an alert that is raised now is flapping: two of its kind ended within the last three delays, or one that was
 * flapping. It is sent at once, as any other. Only its end is held down, until the condition has stayed clear for the
 * whole delay; if the condition returns before, the alert stays open and nothing is sent.
 */
export function isFlapping(
  ended: readonly Pick<Alert, 'ended_at' | 'flapping'>[],
  now: Date,
  clearDelayMs: number,
): boolean {
  const since = flappingSince(now, clearDelayMs);
  const recent = ended.filter(({ ended_at }) => ended_at !== undefined && ended_at >= since);
  return recent.length >= UNTIL_FLAPPING || recent.some(({ flapping }) => flapping === true);
}

/** Whether an end is held down. Nobody waits for the end of one that staff closed, and it must not stand for the next. */
export function isHeldDown({ alert, end }: AlertToEnd): boolean {
  return alert.flapping === true && alert.state !== 'closed' && end.owed === 'resolved';
}
