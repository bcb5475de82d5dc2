import { PERIOD_REASONS, PERIOD_RULES, type PeriodReason } from '../doses/periods.js';
import { isInstant, isOneOf, isPartOf, optional } from './evidence-fields.js';

/** What evidence says of a dose that was due in a period without monitoring, or may have been taken in one. */
export const PERIOD_EVIDENCE = {
  /** The period, and when it was entered; the last one, if it was changed or removed since. */
  period: optional(isPartOf({ reason: isOneOf<PeriodReason>(...PERIOD_REASONS), at: isInstant })),
} as const;

/** `The bottle was not monitored at the time: hospital stay.` */
export function notMonitoredLines(evidence: object): string[] {
  const { outcome, period } = evidence as { outcome?: string; period?: { reason: PeriodReason } };
  return outcome === 'not_monitored' && period
    ? [`The bottle was not monitored at the time: ${PERIOD_RULES[period.reason].text}.`]
    : [];
}

/** `Another bottle of the same plan was not monitored: travel.` */
export function planNotMonitoredLines(evidence: object): string[] {
  const { outcome, period } = evidence as { outcome?: string; period?: { reason: PeriodReason } };
  return outcome === 'unknown' && period
    ? [`Another bottle of the same plan was not monitored: ${PERIOD_RULES[period.reason].text}.`]
    : [];
}

/** What evidence says of a condition that ended because the bottle is not monitored for now: why. */
export const NOT_MONITORED_SINCE = {
  not_monitored: optional(isOneOf<PeriodReason>(...PERIOD_REASONS)),
} as const;

interface NotMonitoredSince {
  not_monitored?: PeriodReason;
}

export function notMonitoredTitle({ not_monitored }: NotMonitoredSince): string | undefined {
  return not_monitored && 'Bottle is not monitored for now';
}

/** `Not monitored: travel.` */
export function notMonitoredNow({ not_monitored }: NotMonitoredSince): string[] {
  return not_monitored ? [`Not monitored: ${PERIOD_RULES[not_monitored].text}.`] : [];
}
