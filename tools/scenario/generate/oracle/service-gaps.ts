import { coverageGaps, whenNotified } from './coverage.js';
import { type ExpectedAlert, MINUTE, SECOND, type ServiceFacts, type Span } from './facts.js';

/** A gap that is longer is long (`COVERAGE_GAP_AFTER`). */
const LONG_GAP = 10 * MINUTE;
/** How much listening the backlogs may take after it (`COVERAGE_GRACE`). */
const GRACE_AFTER_GAP = 30 * MINUTE;

/** Stands for the bottle in alerts about the service itself. */
export const SERVICE = 'service';
/** Notifiers check for gaps every ten seconds. */
const CHECK = 10 * SECOND;

/** A gap without reports of more than ten minutes. */
export interface DeafGap extends Span {
  /** When the notifiers know of it: while it lasts, if one runs then. */
  knownAt: number;
  /** When the backlogs have had their grace: doses that are late by then are unconfirmed. */
  graceOver: number;
  /** When the notifiers begin to notify people of its doses; Infinity if they never do. */
  settledAt: number;
}

/** What the operator is sent: each part of the service that was away for more than ten minutes, raised and ended. */
export function alertsOfService(service: ServiceFacts): ExpectedAlert[] {
  const deaf = longGaps(service.accepting, service).map(({ from, to }) => {
    const ended = whenChecked(to, service);
    return alertOf(whenKnown({ from, to }, service), ended, service);
  });
  const blind = longGaps(service.notifying, service).map(({ to }) => {
    const at = whenChecked(to, service);
    return alertOf(at, at, service);
  });
  return [...deaf, ...blind].filter(({ raisedAt }) => raisedAt <= service.to);
}

/** The gaps whose doses people may be notified of. */
export function deafGaps(service: ServiceFacts): DeafGap[] {
  const gaps = coverageGaps(service.accepting, service.from);
  return longGaps(service.accepting, service).map(({ from, to }) => {
    let over = to + GRACE_AFTER_GAP;
    // only time in which reports are accepted counts
    for (const gap of gaps) if (gap.from >= to && gap.from < over) over += gap.to - gap.from;
    const knownAt = whenKnown({ from, to }, service);
    return { from, to, knownAt, graceOver: over, settledAt: whenChecked(over, service) };
  });
}

/** Longer than allowed, and over or long enough before the end of everything. */
function longGaps(spans: readonly Span[], { from, to }: Span): Span[] {
  return coverageGaps(spans, from)
    .filter((gap) => gap.to - gap.from > LONG_GAP && gap.from <= to)
    .map((gap) => ({ from: gap.from, to: gap.to }));
}

function whenKnown({ from, to }: Span, service: ServiceFacts): number {
  return Math.min(whenChecked(from + LONG_GAP + 1, service), whenChecked(to, service));
}

/** The next check at or after a moment at which a notifier runs. */
function whenChecked(at: number, { notifying }: ServiceFacts): number {
  const tick = Math.ceil(at / CHECK) * CHECK;
  const notified = whenNotified(tick, notifying);
  return Math.ceil(notified / CHECK) * CHECK;
}

function alertOf(raisedAt: number, endedAt: number, { to }: Span): ExpectedAlert {
  return {
    bottle: SERVICE,
    kind: 'coverage_gap',
    raisedAt,
    raisedBy: raisedAt,
    ends: endedAt <= to ? [{ at: endedAt, event: 'resolved' }] : [],
    flapping: false,
    clear: [],
  };
}
