import { problemOverAt, type ReportProblem } from '../../../bottle-state/report-problems.js';
import type { DoubtfulCount, TwoCounts } from '../../../supply/index.js';
import type { Alert } from '../../alert.js';
import {
  type AlertBottle,
  type AlertToEnd,
  type AlertToRaise,
  type Learned,
  resolvedEnd,
} from '../../findings.js';

/** What is known of a bottle under whose token two may report. */
interface SharedTokenFacts {
  bottle: AlertBottle & {
    /** When its token was replaced last. */
    token_replaced_at?: Date;
  };
  /** What is found now. */
  doubts: readonly DoubtfulCount[];
  /** What was noted of its reports before. */
  problems: readonly ReportProblem[];
  open: Alert<'shared_token'> | undefined;
}

/** An alert to raise or to end, and when to check again if nothing happens before. */
export interface SharedTokenFinding {
  raise?: AlertToRaise<'shared_token'>[];
  end?: AlertToEnd<'shared_token'>[];
  check_at?: Date;
}

/**
 * Two bottles report under one token (REPORT-14). The alert lasts as long as the problem is noted on the bottle, or
 * until its token is replaced.
 */
export function judgeSharedToken(
  { bottle, doubts, problems, open }: SharedTokenFacts,
  now: Date,
): SharedTokenFinding {
  const found = doubts.filter(isTwoCounts);
  if (!open && found.length === 0) return {};
  if (open && bottle.token_replaced_at && bottle.token_replaced_at >= open.raised_at)
    return ended(open, now, { token_replaced_at: bottle.token_replaced_at });
  const noted = problems.find(({ reason }) => reason === 'two_counts')?.last_at;
  const check_at = problemOverAt(found.length > 0 ? now : (noted ?? open!.raised_at));
  if (open && check_at <= now) return ended(open, now);
  return { check_at, ...(!open && { raise: [alertOf(bottle, found[0]!)] }) };
}

function isTwoCounts(doubt: DoubtfulCount): doubt is DoubtfulCount & TwoCounts {
  return doubt.reason === 'two_counts';
}

function alertOf(
  bottle: AlertBottle,
  { time, number_of_pills, other_number_of_pills }: DoubtfulCount & TwoCounts,
): AlertToRaise<'shared_token'> {
  const evidence = { rule: 'two_counts', counted_at: time, number_of_pills, other_number_of_pills } as const;
  return { bottle, kind: 'shared_token', subject: '', cause: time, deadline: time, evidence };
}

function ended(
  alert: Alert<'shared_token'>,
  now: Date,
  evidence?: Learned<'shared_token'>,
): SharedTokenFinding {
  return { end: [{ alert, end: resolvedEnd(now, evidence && { evidence }) }] };
}
