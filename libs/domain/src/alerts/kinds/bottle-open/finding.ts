import type { BottleState, LastAction } from '../../../bottle-state/bottle-state.js';
import { openOverdueAt } from '../../../bottle-state/on-reports.js';
import type { Thresholds } from '../../../bottle-state/deadlines.js';
import type { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import {
  type CountedHeartbeat,
  unreportedPills,
  type UnreportedPills,
} from '../../../doses/unreported-pills.js';
import {
  heldUntil,
  type UnmonitoredPeriod,
  periodAt,
  type PeriodReason,
  PERIOD_RULES,
  reasonOf,
} from '../../../doses/periods.js';
import type { Alert } from '../../alert.js';
import { unreportedIn } from '../../closing-lost.js';
import { type AlertToEnd, type AlertToRaise, resolvedEnd } from '../../findings.js';

/** What confirms that a bottle is open. */
export interface OpenBottleFacts {
  /** Since the opening, or the last contact. */
  coverage: RecordedCoverage;
  /** What it has counted by itself since it was opened, of the last checks. */
  counts: readonly CountedHeartbeat[];
  /** The bottle's periods without monitoring. */
  periods: readonly UnmonitoredPeriod[];
  /** The last action in the log. */
  lastAction: Pick<LastAction, 'action' | 'time'> | undefined;
}

/**
 * What an opening means whose deadline has passed:
 *
 * - `not_open`: it was closed.
 * - `closing_lost`: by its count it was closed, and that report was lost.
 * - `held`: its lid raises no alert in a period without monitoring; an alert ends.
 * - `still_open`: its alert stands.
 * - `inhibited`: a silent bottle is only "last known open".
 * - `silence_first`: it is about to be found silent.
 * - `postponed`: a gap of ours may have delayed its closing.
 * - `state_lags`: the log has another last action than the state.
 * - `too_long`: it has been open for too long.
 */
export type OverdueOpening =
  | { result: 'not_open' | 'still_open' | 'inhibited' | 'silence_first' | 'state_lags' }
  | { result: 'held'; reason: PeriodReason; until: Date }
  | { result: 'closing_lost'; lost: readonly UnreportedPills[] }
  | { result: 'postponed'; until: Date }
  | { result: 'too_long'; openedAt: Date };

export function judgeOverdueOpening(
  state: BottleState,
  { coverage, counts, lastAction, periods }: OpenBottleFacts,
  thresholds: Thresholds,
  now: Date,
): OverdueOpening {
  const opened = state.last_action;
  if (!state.open || !opened) return { result: 'not_open' };
  const period = periodAt(periods, now);
  if (period && PERIOD_RULES[reasonOf(period)].holdsLid)
    return {
      result: 'held',
      reason: reasonOf(period),
      until: heldUntil(period, thresholds.silentAfter, now),
    };
  const lost = findLost(opened, counts, thresholds, now);
  if (lost.length > 0) return { result: 'closing_lost', lost };
  if (state.alerted_opening === 'lasting') return { result: 'still_open' };
  // also one that is about to end: then it is checked when the backlog has had time to arrive
  if (state.alerted_silence) return { result: 'inhibited' };
  const { silentAfter, backlogGrace } = thresholds;
  // the check of silent bottles comes first
  if (coverage.since(state.last_heard_at ?? opened.received_at) >= silentAfter)
    return { result: 'silence_first' };
  const due = openOverdueAt(opened, thresholds);
  const missing = coverage.missingGrace(opened.time, due, backlogGrace);
  if (missing > 0) return { result: 'postponed', until: coverage.after(missing) };
  // a state that lagged behind the log raises no false alarm
  if (lastAction?.action !== 'opened' || lastAction.time.getTime() !== opened.time.getTime())
    return { result: 'state_lags' };
  return { result: 'too_long', openedAt: opened.time };
}

/** A count from before the alert is due may be that of a bottle that is still open. */
function findLost(
  opened: LastAction,
  heartbeats: readonly CountedHeartbeat[],
  { openAfter }: Thresholds,
  now: Date,
): UnreportedPills[] {
  const due = opened.time.getTime() + openAfter;
  const isRecent = heartbeats.some(({ time }) => time.getTime() >= due);
  return isRecent ? unreportedPills({ actions: [opened], heartbeats }, now) : [];
}

/** The alert of a bottle that has been open for too long. @param openAfter milliseconds */
export function openBottleAlert(
  state: BottleState,
  openedAt: Date,
  openAfter: number,
): AlertToRaise<'bottle_open'> {
  return {
    bottle: state,
    kind: 'bottle_open',
    subject: '',
    cause: openedAt,
    deadline: new Date(openedAt.getTime() + openAfter),
    evidence: {
      rule: 'open_after',
      open_after_ms: openAfter,
      opened_at: openedAt,
      last_heard_at: state.last_heard_at,
    },
  };
}

/**
 * The end of an alert by a newer action; a correction if late data shows that the bottle had been closed before it was
 * overdue, so that nobody should have been notified.
 */
export function openBottleEnd(
  alert: Alert<'bottle_open'>,
  action: LastAction,
  now: Date,
): AlertToEnd<'bottle_open'> {
  const wrong = action.action === 'closed' && action.time <= alert.deadline;
  const outcome = wrong ? 'retracted' : 'resolved';
  return {
    alert,
    end: {
      state: outcome,
      owed: outcome,
      at: now,
      by: 'notifier',
      evidence: { ended_by: action },
    },
    clearSince: action.received_at,
  };
}

/** The end of an alert by pills that left since the bottle was opened: it was closed, and that report was lost. */
export function openBottleClosingLost(
  alert: Alert<'bottle_open'>,
  lost: readonly UnreportedPills[],
  now: Date,
): AlertToEnd<'bottle_open'> {
  const pills = lost.reduce((sum, one) => sum + one.pills, 0);
  const evidence = unreportedIn({ pills, from: lost[0]!.from, until: lost.at(-1)!.until });
  return { alert, end: resolvedEnd(now, { evidence }) };
}

/** The end of an alert of a bottle whose lid says nothing in a period without monitoring. */
export function openBottleNotMonitored(
  alert: Alert<'bottle_open'>,
  not_monitored: PeriodReason,
  now: Date,
): AlertToEnd<'bottle_open'> {
  return { alert, end: resolvedEnd(now, { evidence: { not_monitored }, note: 'not monitored' }) };
}
