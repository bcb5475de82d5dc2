import type { English } from '../language/phrases.js';

/**
 * Time of which a bottle says nothing of its doses, and why. A pause is one of these: there no dose is to be taken, and it
 * has a plan for its end.
 */
export const PERIOD_REASONS = [
  'pause',
  'hospital',
  'travel',
  'pillbox',
  'device_fault',
  'other_container',
  'not_in_use',
] as const;
export type PeriodReason = (typeof PERIOD_REASONS)[number];

/**
 * A period without monitoring `[from, to)`: of the doses that are due in it the bottle says nothing. What was stored
 * before there were reasons is a pause.
 */
export interface UnmonitoredPeriod {
  /** The same for all bottles of a period of a person. */
  id?: string;
  /** Default: `pause`. */
  reason?: PeriodReason;
  from: Date;
  /** Absent while nobody knows. */
  to?: Date;
  note?: string;
  /** Who entered or changed it last. */
  recorded_by?: string;
  /** When it was entered: what was removed before is judged without it. Absent if it began when it was entered. */
  recorded_at?: Date;
  /** When it was changed last, if it was. */
  changed_at?: Date;
  /** What it was before each change, the first one first: what was removed until then is judged by that (DOSE-31). */
  earlier?: EarlierPeriod[];
  /** It is of all bottles of the person. */
  of_person?: true;
}

/** What a period was before it was changed. */
export interface EarlierPeriod extends Pick<UnmonitoredPeriod, 'reason' | 'from' | 'to'> {
  /** When it was changed. */
  until: Date;
}

/** How many changes of a period are kept. */
const MOST_EARLIER = 20;

/** A period with this change, and with what it was before. */
export function changedPeriod(
  before: UnmonitoredPeriod,
  change: UnmonitoredPeriod,
  until: Date,
): UnmonitoredPeriod {
  const { reason, from, to, earlier = [] } = before;
  const former = { until, from, ...(to && { to }), ...(reason && { reason }) };
  return { ...change, changed_at: until, earlier: [...earlier, former].slice(-MOST_EARLIER) };
}

/** The periods that had begun at a time, as they had been entered by then. */
export function periodsKnownAt(periods: readonly UnmonitoredPeriod[], time: Date): UnmonitoredPeriod[] {
  return (
    periods
      // one that began when it was entered may have been changed since
      .filter(({ from, earlier, recorded_at = earlier?.[0]?.from ?? from }) => recorded_at <= time)
      .map((period) => period.earlier?.find(({ until }) => time < until) ?? period)
      .filter(({ from }) => from <= time)
  );
}

/** What a reason means for the bottle's alerts meanwhile. No reason leaves a silence: a device may be switched off. */
interface PeriodRule {
  /** For a sentence: `The bottle is not monitored at the time: hospital stay.` */
  text: English;
  /**
   * Pills that are removed meanwhile. `extra`: none is due from this bottle. `not_judged`: they may be the doses, or the
   * device may be wrong. `filling`: those of its first hour fill the pillbox, and later ones are extra.
   */
  removals: 'extra' | 'not_judged' | 'filling';
  /** Whether a lid that is left open raises no alert: nobody uses the bottle, or its sensor is not to be believed. */
  holdsLid: boolean;
  /**
   * Whether doses may be taken meanwhile, from the bottle or elsewhere, that it does not report. Then those of a plan
   * that it is for cannot be confirmed.
   */
  hidesDoses: boolean;
}

export const PERIOD_RULES: Record<PeriodReason, PeriodRule> = {
  pause: { text: 'pause', removals: 'extra', holdsLid: false, hidesDoses: false },
  hospital: { text: 'hospital stay', removals: 'extra', holdsLid: false, hidesDoses: false },
  travel: { text: 'travel', removals: 'not_judged', holdsLid: false, hidesDoses: true },
  pillbox: { text: 'doses from a pillbox', removals: 'filling', holdsLid: false, hidesDoses: true },
  device_fault: { text: 'device fault', removals: 'not_judged', holdsLid: true, hidesDoses: true },
  other_container: {
    text: 'doses from another container',
    removals: 'extra',
    holdsLid: true,
    hidesDoses: true,
  },
  not_in_use: { text: 'bottle not in use', removals: 'extra', holdsLid: true, hidesDoses: false },
};

/** A pillbox is filled within this time from the beginning of its period on, the end included. Milliseconds. */
export const FILLING_MS = 60 * 60_000;

/** The end of a period in epoch milliseconds, excluded. */
export const endsAt = ({ to }: Pick<UnmonitoredPeriod, 'to'>): number => to?.getTime() ?? Infinity;

export const reasonOf = ({ reason }: UnmonitoredPeriod): PeriodReason => reason ?? 'pause';

/** The period that an instant is in; of several the one that begins last. */
export function periodAt(periods: readonly UnmonitoredPeriod[], at: Date): UnmonitoredPeriod | undefined {
  const holding = periods.filter((period) => period.from <= at && at.getTime() < endsAt(period));
  return holding.toSorted((one, other) => one.from.getTime() - other.from.getTime()).at(-1);
}

/** The end, in epoch milliseconds, of the periods that follow each other from an instant on without a gap. */
export function notMonitoredUntil(periods: readonly UnmonitoredPeriod[], at: Date): number | undefined {
  const sorted = periods.toSorted((one, other) => one.from.getTime() - other.from.getTime());
  const until = sorted.reduce(
    (end, period) => (period.from.getTime() <= end && end < endsAt(period) ? endsAt(period) : end),
    at.getTime(),
  );
  return until > at.getTime() ? until : undefined;
}

/** How pills are to be judged that were removed at this time, by the period in which they were; undefined outside any. */
export function removalIn(
  periods: readonly UnmonitoredPeriod[],
  time: Date,
): { reason: PeriodReason; isExtra: boolean } | undefined {
  const period = periodAt(periods, time);
  if (!period) return undefined;
  const reason = reasonOf(period);
  const { removals } = PERIOD_RULES[reason];
  const isExtra =
    removals === 'extra' || (removals === 'filling' && time.getTime() - period.from.getTime() > FILLING_MS);
  return { reason, isExtra };
}

/**
 * When a check looks again at what a period holds: at its end, and every so often, because it may be changed or removed.
 *
 * @param every milliseconds
 */
export function heldUntil(period: UnmonitoredPeriod, every: number, now: Date): Date {
  return new Date(Math.min(endsAt(period), now.getTime() + every));
}

/** The end of the last period that is over, or the time that a check noted if that is later. */
export function heldLast(
  periods: readonly UnmonitoredPeriod[],
  noted: Date | undefined,
  now: Date,
): Date | undefined {
  const ends = periods.map(endsAt).filter((end) => end <= now.getTime());
  const last = Math.max(noted?.getTime() ?? -Infinity, ...ends);
  return Number.isFinite(last) ? new Date(last) : undefined;
}

/**
 * Whether a period holds a silence, or held it until less than `silentAfter` ago: then it does not count yet.
 *
 * @param noted until when a check held it, if one did
 * @param silentAfter milliseconds
 */
export function isSilenceHeld(
  periods: readonly UnmonitoredPeriod[],
  noted: Date | undefined,
  silentAfter: number,
  now: Date,
): boolean {
  const last = heldLast(periods, noted, now);
  return periodAt(periods, now) !== undefined || (last !== undefined && +now - +last < silentAfter);
}
