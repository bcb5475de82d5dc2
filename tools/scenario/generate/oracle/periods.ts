import { type DosePause, HOUR, type Span } from './facts.js';

/** What a period without monitoring means for what is removed in it (PERIOD-6), by its reason. */
const REMOVALS: Record<string, 'extra' | 'not judged' | 'fills a pillbox'> = {
  pause: 'extra',
  hospital: 'extra',
  travel: 'not judged',
  pillbox: 'fills a pillbox',
  device_fault: 'not judged',
  other_container: 'extra',
  not_in_use: 'extra',
};

/** With these reasons no lid is left open (PERIOD-5). */
const HOLDS_LID = ['device_fault', 'other_container', 'not_in_use'];

/** With these reasons a dose may be taken that no bottle reports (PLAN-8). */
export const HIDES_DOSES = ['travel', 'device_fault', 'pillbox', 'other_container'];

/** How long a pillbox is filled, from the beginning of the period. */
const FILLING = HOUR;

/** The periods as they are known at a moment. */
export function periodsKnownAt(periods: readonly DosePause[], now: number): DosePause[] {
  return periods.filter(({ orderedAt, changedAt = Infinity }) => orderedAt <= now && now < changedAt);
}

/** Whether a moment is in one of them. */
export function isWithin(periods: readonly Span[], at: number): boolean {
  return periods.some(({ from, to }) => from <= at && at < to);
}

/** Whether a lid that is left open at a moment alarms nobody, for all that is known then. */
export function holdsLid(periods: readonly DosePause[], now: number): boolean {
  return periodsKnownAt(periods, now).some(
    ({ from, to, reason = 'pause' }) => from <= now && now < to && HOLDS_LID.includes(reason),
  );
}

/** The periods as they were known at a time, without those that were removed since. */
export function periodsEnteredBy(periods: readonly DosePause[], time: number, now: number): DosePause[] {
  const isRemoved = ({ changedAt = Infinity }: DosePause): boolean =>
    changedAt <= now && !periods.some(({ orderedAt }) => orderedAt === changedAt);
  return periodsKnownAt(periods, time).filter((period) => !isRemoved(period));
}

/**
 * What pills are that were removed at a time: `extra` by a period as it was known then, and as it is known now;
 * `explained` by one of the two, whenever it was entered; undefined otherwise.
 */
export function removalIn(
  periods: readonly DosePause[],
  time: number,
  now: number,
): 'extra' | 'explained' | undefined {
  const before = kindIn(periodsEnteredBy(periods, time, now), time);
  const after = kindIn(periodsKnownAt(periods, now), time);
  if (before === 'explained' || after === 'explained') return 'explained';
  return before === 'extra' ? after : undefined;
}

/** The same by these periods; of several the one counts that begins last. */
function kindIn(periods: readonly DosePause[], time: number): 'extra' | 'explained' | undefined {
  const [last] = periods
    .filter(({ from, to }) => from <= time && time < to)
    .toSorted((one, other) => other.from - one.from);
  if (!last) return undefined;
  const kind = REMOVALS[last.reason ?? 'pause'];
  const isExplained = kind === 'not judged' || (kind === 'fills a pillbox' && time < last.from + FILLING);
  return isExplained ? 'explained' : 'extra';
}
