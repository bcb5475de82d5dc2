import type { Alert } from '../alerts/alert.js';
import type { FoundBy } from '../alerts/alert-kind-facts.js';
import { alertKindFacts } from '../alerts/alert-kinds.js';
import type { BottleState } from '../bottle-state/bottle-state.js';
import type { Delivery, DeliveryResult } from './delivery.js';
import { isNewFact } from './notification-events.js';

/** What of a bottle's state decides whether a notification may be sent. */
export type StateAtSending = Pick<
  BottleState,
  | 'life'
  | 'quiet'
  | 'last_heard_at'
  | 'alerted_silence'
  | 'alerted_opening'
  | 'dose_due_at'
  | 'unjudged_removals'
  | 'attested_slots'
  | 'schedule_changed_at'
  | 'judge_again_from'
  | 'plan_report'
  | 'set_aside'
> & {
  /** Of the further bottles of its plan: what they reported is of its doses. */
  members?: readonly StateAtSending[];
  /** Of a silent bottle that is for the plan of another: that of the other. */
  leader?: StateAtSending;
};

/** A check queues notifications before it is done with the bottle. Milliseconds. */
const BEING_CHECKED_MS = 10_000;
/** How soon a notification that waits for a check is looked at again. Milliseconds. */
const RETRY_MS = 1_000;

/**
 * After an outage of ours, notifications are due before the checks have seen what was reported meanwhile: a reminder of a
 * dose that was taken an hour ago, of a lid that is closed. They wait for the check.
 *
 * @param state of the alert's bottle, read before the alert; undefined if the bottle was erased
 */
export function whileUnchecked(
  delivery: Delivery,
  { kind, evidence, raised_at, ended_at = raised_at }: Alert,
  state: StateAtSending | undefined,
  now: Date,
): DeliveryResult | undefined {
  const { foundBy } = alertKindFacts(kind);
  if (!foundBy || !state || state.set_aside || !isNewFact(delivery.event, evidence)) return undefined;
  const isBeingChecked = now.getTime() < ended_at.getTime() + BEING_CHECKED_MS;
  const isUnchecked =
    IS_UNCHECKED[foundBy](state, now) || (isReminderOfSilence(delivery) && mayHideMore(state, now));
  if (isBeingChecked || !isUnchecked) return undefined;
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + RETRY_MS),
    reason: 'what was reported since is being checked',
  };
}

const IS_UNCHECKED: Record<FoundBy, (state: StateAtSending, now: Date) => boolean> = {
  silence: ({ alerted_silence }) => alerted_silence === 'over',
  lid: ({ alerted_opening }) => alerted_opening === 'over',
  doses: (state, now) =>
    [state, ...(state.members ?? []).filter(({ set_aside }) => !set_aside)].some((one) =>
      areDosesUnchecked(one, now),
    ),
};

const isReminderOfSilence = ({ kind, event }: Delivery): boolean =>
  kind === 'bottle_silent' && event === 'escalated';

/** Whether doses of its plan are due to be judged: a reminder of the silence is to name them. */
function mayHideMore(state: StateAtSending, now: Date): boolean {
  const { dose_due_at, set_aside } = state.leader ?? state;
  return !set_aside && dose_due_at !== undefined && dose_due_at <= now;
}

function areDosesUnchecked(
  { dose_due_at, unjudged_removals = [], attested_slots = [], ...state }: StateAtSending,
  now: Date,
): boolean {
  return (
    dose_due_at !== undefined &&
    dose_due_at <= now &&
    (unjudged_removals.length > 0 ||
      attested_slots.length > 0 ||
      state.schedule_changed_at !== undefined ||
      state.judge_again_from !== undefined ||
      state.plan_report !== undefined)
  );
}
