import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { FollowedCondition } from '../../../bottle-state/on-checks.js';
import type { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import { DAY_MS } from '../../../time/durations.js';
import type { Alert } from '../../alert.js';
import { type AlertToEnd, type AlertToRaise, resolvedEnd } from '../../findings.js';
import { type BatteryReading, changes, findRecovery, lowSince } from './battery.js';

/** A low battery is checked for its recovery at this interval: about once per two heartbeats. Milliseconds. */
export const BATTERY_RECHECK_MS = 15 * 60_000;

/** What a bottle's readings mean: the condition as it is followed from now on, and an alert to raise or to end. */
export interface BatteryFinding extends FollowedCondition {
  /** Its cause is that of the condition, once it is open. */
  raise?: AlertToRaise<'battery_low'>;
  end?: AlertToEnd<'battery_low'>;
}

/**
 * The condition holds: has the battery recovered?
 *
 * @param readings oldest first
 * @param threshold percent
 */
export function followLowBattery(
  { battery_low_since }: BottleState,
  readings: readonly BatteryReading[],
  open: Alert<'battery_low'> | undefined,
  threshold: number,
  now: Date,
): BatteryFinding {
  const recovery = findRecovery(readings, threshold);
  if (!recovery) return { next: new Date(now.getTime() + BATTERY_RECHECK_MS), cause: battery_low_since };
  const since = lowSince(
    readings.filter(({ time }) => time >= recovery.time),
    threshold,
  );
  const evidence = { recovered_at: recovery.time, recovered_percent: recovery.percent };
  return {
    ...(open && { end: { alert: open, end: resolvedEnd(now, { evidence }) } }),
    next: since && new Date(since.getTime() + DAY_MS),
    cause: undefined,
  };
}

/**
 * The deadline has passed: was every reading of a day low? A silent bottle raises nothing, also in a period without
 * monitoring.
 *
 * @param readings oldest first
 * @param threshold percent
 * @param isDisabled nobody is to be notified of low batteries
 * @param silentAfter milliseconds
 */
export function findLowBattery(
  state: BottleState,
  readings: readonly BatteryReading[],
  {
    threshold,
    isDisabled,
    coverage,
    silentAfter,
  }: { threshold: number; isDisabled: boolean; coverage: RecordedCoverage; silentAfter: number },
  now: Date,
): BatteryFinding {
  const since = lowSince(readings, threshold);
  const deadline = since && new Date(since.getTime() + DAY_MS);
  if (!since || !deadline || deadline > now) return { next: deadline, cause: undefined };
  const { last_heard_at } = state;
  const isSilent = !last_heard_at || coverage.since(last_heard_at) >= silentAfter;
  // the next low reading arms the deadline again
  if (isSilent || isDisabled) return { next: undefined, cause: undefined };
  const low = readings.filter(({ time }) => time >= since);
  const raise: AlertToRaise<'battery_low'> = {
    bottle: state,
    kind: 'battery_low',
    subject: '',
    cause: since,
    deadline,
    evidence: {
      rule: 'battery_low_percent',
      low_percent: threshold,
      low_since: since,
      battery_percent: low.at(-1)!.percent,
      readings: changes(low).map(({ time, percent }) => ({ at: time, percent })),
    },
  };
  return { raise, next: new Date(now.getTime() + BATTERY_RECHECK_MS), cause: since };
}
