import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { UnmonitoredPeriod, ScheduleVersion } from '../../../doses/index.js';
import type { Alert } from '../../alert.js';
import { type AlertBottle, type AlertToEnd, type AlertToRaise, resolvedEnd } from '../../findings.js';
import { judgeLowSupply, type LowSupplyState, type SlotProgress } from './low-supply.js';

/** What of a bottle decides about its supply. */
interface SuppliedBottle extends AlertBottle {
  schedule_versions: readonly ScheduleVersion[];
  pauses: readonly UnmonitoredPeriod[];
  registered_at: Date;
  initial_pills?: number;
}

/** What the pills left mean: an alert to raise or to end, and the state to keep. */
export interface SupplyFinding {
  state?: LowSupplyState;
  /** When to check again, if nothing happens before. */
  low_at?: Date;
  raise: AlertToRaise<'low_supply'>[];
  end: AlertToEnd<'low_supply'>[];
}

/** What says how many pills are in a bottle. */
interface Counted {
  state: Pick<BottleState, 'last_action'>;
  bottle: Pick<SuppliedBottle, 'initial_pills'>;
}

/** The pills in all bottles of a plan; unknown if those in one of them are: it did not report its count. */
function pillsOfPlan(bottles: readonly Counted[]): number | undefined {
  const counts = bottles.map(({ state, bottle }) =>
    state.last_action ? state.last_action.number_of_pills : bottle.initial_pills,
  );
  return counts.reduce(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}

/** Fewer pills than the doses of the next days still need; ends on refill. */
export function judgeSupply(
  {
    state,
    bottle,
    judged,
    others = [],
    open,
    days,
  }: {
    state: BottleState;
    bottle: SuppliedBottle;
    /** The further bottles of the plan. */
    others?: readonly Counted[];
    judged: { slots: readonly SlotProgress[]; dose_due_at?: Date };
    open: Alert<'low_supply'> | undefined;
    days: number;
  },
  now: Date,
): SupplyFinding {
  const pills = pillsOfPlan([{ state, bottle }, ...others]);
  if (pills === undefined || bottle.schedule_versions.length === 0) return { raise: [], end: [] };
  const before = state.schedule_changed_at ? undefined : state.low_supply;
  const supply = judgeLowSupply({
    state: before ?? { low: false },
    pills,
    days,
    versions: bottle.schedule_versions,
    periods: bottle.pauses,
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
    end: end ? [{ alert: open, end: resolvedEnd(now, { evidence: { pills_after_refill: pills } }) }] : [],
  };
}
