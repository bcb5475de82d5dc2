import type { RecordedCoverage } from '../coverage/recorded-coverage.js';
import type { DoseOutcome } from './judge.js';
import type { UnmonitoredPeriod } from './periods.js';
import { type ScheduleVersion, windowsOf } from './schedule.js';
import { type Slot, slotsBetween } from './slots.js';

/** A coverage gap that is over: from its beginning, included, to its end. */
interface Gap {
  from: Date;
  until: Date;
}

/** The doses that fall in a gap: due before its end, and not over at its beginning. */
export function dosesInGap(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  { from, until }: Gap,
): Slot[] {
  const longest = Math.max(0, ...versions.map(({ schedule }) => windowsOf(schedule).missed_ms));
  const slots = slotsBetween(versions, periods, new Date(from.getTime() - longest), until);
  return slots.filter(({ missed_at }) => missed_at >= from);
}

/**
 * Whether a dose was late when the backlogs had had their grace since a gap: only then the gap leaves it unconfirmed. A
 * later one is judged as any other.
 */
export function wasLateByGrace(
  { late_at }: Pick<Slot, 'late_at'>,
  { until }: Pick<Gap, 'until'>,
  { coverage, graceMs }: { coverage: RecordedCoverage; graceMs: number },
): boolean {
  return coverage.listened(until, late_at) <= graceMs;
}

/** What is known of a bottle's doses when the grace after a gap is over. */
export interface AfterGap {
  /** The doses that fall in the gap. */
  slots: readonly Slot[];
  /** The outcomes that are recorded, by the instant of the slot in epoch milliseconds. */
  outcomes: ReadonlyMap<number, DoseOutcome>;
  /** Absent if the bottle never reported. */
  lastSeen?: Date | undefined;
  /** It was silent when the gap began: its own silence hides the doses. */
  wasSilent: boolean;
}

/** The doses that a gap leaves unconfirmed: unknown, or without an outcome while the bottle has not reported since. */
export function unconfirmedDoses({ slots, outcomes, lastSeen, wasSilent }: AfterGap, { until }: Gap): Slot[] {
  if (wasSilent || !lastSeen) return [];
  return slots.filter(({ scheduled_at }) => {
    const outcome = outcomes.get(scheduled_at.getTime());
    return outcome === 'unknown' || (outcome === undefined && lastSeen < until);
  });
}
