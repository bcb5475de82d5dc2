import { PERIOD_REASONS, PERIOD_RULES, type PeriodReason } from '../doses/periods.js';
import type { Say } from '../language/phrases.js';
import { isInstant, isOneOf, isPartOf, optional } from './evidence-fields.js';

/** What evidence says of a dose that was due in a period without monitoring, or may have been taken in one. */
export const PERIOD_EVIDENCE = {
  /** The period, and when it was entered; the last one, if it was changed or removed since. */
  period: optional(isPartOf({ reason: isOneOf<PeriodReason>(...PERIOD_REASONS), at: isInstant })),
} as const;

const reasonText = (reason: PeriodReason, say: Say): string => say(PERIOD_RULES[reason].text);

/** `The bottle was not monitored at the time: hospital stay.` */
export function notMonitoredLines(evidence: object, say: Say): string[] {
  const { outcome, period } = evidence as { outcome?: string; period?: { reason: PeriodReason } };
  return outcome === 'not_monitored' && period
    ? [
        say('The bottle was not monitored at the time: {{reason}}.', {
          reason: reasonText(period.reason, say),
        }),
      ]
    : [];
}

/** `Another bottle of the same plan was not monitored: travel.` */
export function planNotMonitoredLines(evidence: object, say: Say): string[] {
  const { outcome, period } = evidence as { outcome?: string; period?: { reason: PeriodReason } };
  return outcome === 'unknown' && period
    ? [
        say('Another bottle of the same plan was not monitored: {{reason}}.', {
          reason: reasonText(period.reason, say),
        }),
      ]
    : [];
}

/** What evidence says of a condition that ended because the bottle is not monitored for now: why. */
export const NOT_MONITORED_SINCE = {
  not_monitored: optional(isOneOf<PeriodReason>(...PERIOD_REASONS)),
} as const;

interface NotMonitoredSince {
  not_monitored?: PeriodReason;
}

export function notMonitoredTitle({ not_monitored }: NotMonitoredSince, say: Say): string | undefined {
  return not_monitored && say('Bottle is not monitored for now');
}

/** `Not monitored: travel.` */
export function notMonitoredNow({ not_monitored }: NotMonitoredSince, say: Say): string[] {
  return not_monitored ? [say('Not monitored: {{reason}}.', { reason: reasonText(not_monitored, say) })] : [];
}
