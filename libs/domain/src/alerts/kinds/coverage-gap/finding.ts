import { COVERAGE_PARTS, type CoveragePart } from '../../../coverage/long-gaps.js';
import type { Slot } from '../../../doses/index.js';
import { type AlertBottle, type AlertToRaise, resolvedEnd } from '../../findings.js';

/**
 * The alert of a gap in which a part of the service did not work.
 *
 * @param fleet stands for its bottle
 * @param gap `ended` when it has ended, with how many doses were due in it
 * @param longerThanMs the time after which it is an alert
 */
export function serviceGapAlert(
  fleet: AlertBottle,
  {
    part,
    from,
    ended,
  }: { part: CoveragePart; from: Date; ended?: { until: Date; doses: number } | undefined },
  longerThanMs: number,
  now: Date,
): AlertToRaise<'coverage_gap'> {
  return {
    bottle: fleet,
    kind: 'coverage_gap',
    subject: part,
    // both parts may end at one moment
    cause: new Date(from.getTime() + COVERAGE_PARTS.indexOf(part)),
    deadline: new Date(from.getTime() + longerThanMs),
    evidence: { rule: 'coverage_gap_after', from, coverage_gap_after_ms: longerThanMs },
    ...(ended && { end: resolvedEnd(now, { evidence: ended }) }),
  };
}

/** The alert of a dose that a gap left unconfirmed; it ends when it is raised. */
export function doseInGapAlert(
  bottle: AlertBottle,
  { scheduled_at, pills }: Pick<Slot, 'scheduled_at' | 'pills'>,
  { from, until }: { from: Date; until: Date },
  now: Date,
): AlertToRaise<'coverage_gap'> {
  return {
    bottle,
    kind: 'coverage_gap',
    subject: scheduled_at.toISOString(),
    cause: scheduled_at,
    deadline: until,
    evidence: { rule: 'coverage_grace', scheduled_at, pills_scheduled: pills, from, until },
    end: { state: 'resolved', owed: 'unconfirmed', at: now, by: 'notifier' },
  };
}
