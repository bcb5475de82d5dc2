import { settledBy } from '../../../attestations/attestation.js';
import type { StatedDose } from '../../../attestations/removed-for-later.js';
import type { BottleState } from '../../../bottle-state/bottle-state.js';
import { isTaken } from '../../../doses/judge.js';
import { delay, type EscalationStep, remindingSteps } from '../../../notifications/escalation.js';
import type { Alert } from '../../alert.js';
import type { AlertBottle, AlertToEnd, AlertToRaise } from '../../findings.js';
import { doseOf, partOf, type Reports } from '../missed-dose/missed-dose.js';
import type { DoseReminderEvidence } from './facts.js';

type Reminder = Alert<'dose_reminder'>;

/** When a policy first reminds of a dose, from its time, negative before it; undefined if it does not. Milliseconds. */
export function firstReminder(policy: readonly EscalationStep[] = []): number | undefined {
  const [first] = remindingSteps(policy);
  return first && delay(first);
}

/** When a dose may be taken and is not late: a person can be reminded of it. */
const isPending = ({ phase }: StatedDose): boolean => phase === 'pending';

/**
 * Finds the doses that are not taken and whose first reminder has come.
 *
 * @param doses those that no statement settles
 * @param open the reminders that are there already
 * @param first as {@link firstReminder} gives it
 */
export function findReminders(
  bottle: AlertBottle,
  doses: readonly StatedDose[],
  open: readonly Reminder[],
  first: number,
  now: Date,
): AlertToRaise<'dose_reminder'>[] {
  return doses
    .filter(isPending)
    .filter(({ slot }) => slot.scheduled_at.getTime() + first <= now.getTime())
    .filter(({ slot }) => !open.some(({ subject }) => subject === slot.scheduled_at.toISOString()))
    .map((dose) => ({
      bottle,
      kind: 'dose_reminder',
      subject: dose.slot.scheduled_at.toISOString(),
      cause: dose.slot.scheduled_at,
      deadline: new Date(dose.slot.scheduled_at.getTime() + first),
      evidence: {
        rule: 'remind',
        scheduled_at: dose.slot.scheduled_at,
        late_at: dose.slot.late_at,
        pills_scheduled: dose.slot.pills,
        ...partOf(dose),
      },
    }));
}

/** When the first reminder of the next dose comes; undefined if no dose is known that is due. @param times of doses */
export function nextReminderAt(times: readonly Date[], first: number, now: Date): Date | undefined {
  const moments = times.map((time) => time.getTime() + first).filter((at) => at > now.getTime());
  return moments.length > 0 ? new Date(Math.min(...moments)) : undefined;
}

/** Finds the reminders whose dose is taken, stated, late or not due any more. Nobody is notified of that. */
export function findRemindersOver(
  { user_id }: AlertBottle,
  open: readonly Reminder[],
  doses: readonly StatedDose[],
  reports: Reports,
  now: Date,
): AlertToEnd<'dose_reminder'>[] {
  return open.flatMap((alert) => {
    const dose = doseOf(alert, doses);
    const over = alert.user_id === user_id ? whyOver(dose, reports) : 'not_due';
    if (!over) return [];
    const outcome = dose?.outcome;
    const evidence = { over, ...(outcome && { outcome }) };
    return [{ alert, end: { state: 'resolved', at: now, by: 'notifier', evidence } }];
  });
}

function whyOver(dose: StatedDose | undefined, reports: Reports): DoseReminderEvidence['over'] {
  if (!dose || dose.outcome === 'not_monitored') return 'not_due';
  if (dose.outcome && isTaken(dose.outcome)) return 'taken';
  if (settledBy(reports.get(dose.slot.scheduled_at.getTime()))) return 'stated';
  return isPending(dose) ? undefined : 'late';
}

type Contact = Pick<BottleState, 'quiet' | 'last_heard_at'>;

/**
 * A reminder as a message shows it: without contact with a bottle of the plan we cannot know whether the dose was taken.
 *
 * @param state of the bottle at the moment, with the further bottles of its plan
 */
export function whetherInContact<A extends Alert>(
  alert: A,
  state: (Contact & { members?: readonly Contact[] }) | undefined,
): A {
  if (alert.kind !== 'dose_reminder' || !state) return alert;
  const silent = [state, ...(state.members ?? [])].find(({ quiet }) => quiet !== undefined);
  if (!silent) return alert;
  const { last_heard_at: since } = silent;
  const unknown = silent.quiet === 'silent' && since ? { offline_since: since } : { never_reported: true };
  return { ...alert, evidence: { ...alert.evidence, ...unknown } };
}
