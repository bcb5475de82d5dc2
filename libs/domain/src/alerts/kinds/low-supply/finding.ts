import { judgeLowSupply, type LowSupplyState } from '#domain';
import type { Alert, Bottle, BottleState } from '#persistence';
import type { JudgedDoses } from '../../doses/dose-judgement.js';
import type { AlertToEnd, AlertToRaise } from '../../alerts/findings.js';

/** What the pills left mean: an alert to raise or to end, and the state to keep. */
export interface SupplyFinding {
  state?: LowSupplyState;
  /** When to check again, if nothing happens before. */
  low_at?: Date;
  raise: AlertToRaise[];
  end: AlertToEnd[];
}

/** Fewer pills than the doses of the next days still need; ends on refill. */
export function judgeSupply(
  {
    state,
    bottle,
    judged,
    open,
    days,
  }: { state: BottleState; bottle: Bottle; judged: JudgedDoses; open: Alert | undefined; days: number },
  now: Date,
): SupplyFinding {
  // a bottle that did not report its count has an unknown one
  const pills = state.last_action ? state.last_action.number_of_pills : bottle.initial_pills;
  if (pills === undefined || bottle.schedule_versions.length === 0) return { raise: [], end: [] };
  const before = state.schedule_changed_at ? undefined : state.low_supply;
  const supply = judgeLowSupply({
    state: before ?? { low: false },
    pills,
    days,
    versions: bottle.schedule_versions,
    pauses: bottle.pauses,
    progress: judged.slots,
    now,
    ...(judged.dose_due_at && { until: judged.dose_due_at }),
  });
  const evidence = { rule: 'low_supply_days', days, pills, needed: supply.needed };
  const deadline = state.last_action?.time ?? bottle.registered_at;
  const raise = supply.state.low && !open;
  const end = !supply.state.low && open;
  return {
    state: supply.state,
    ...(supply.low_at && { low_at: supply.low_at }),
    // the same count can be too few again, after a pause: each time is an occurrence of its own. A check that is repeated
    // after a crash finds the alert open, and while one is open there is no other
    raise: raise ? [{ bottle, kind: 'low_supply', subject: '', cause: now, deadline, evidence }] : [],
    end: end
      ? [
          {
            alert: open,
            end: {
              state: 'resolved',
              owed: 'resolved',
              at: now,
              by: 'notifier',
              evidence: { pills_after_refill: pills },
            },
          },
        ]
      : [],
  };
}
