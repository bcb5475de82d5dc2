import type { PersonStep } from '../../../notifications/escalation.js';
import { type Person, USER } from '../../../notifications/persons.js';
import type { Addressees, PersonDetails } from '../../../notifications/recipients.js';
import { HOUR_MS } from '../../../time/durations.js';
import type { Alert } from '../../alert.js';
import type { AlertEnd, AlertToRaise } from '../../findings.js';

/** How long a call for help can be withdrawn (included). Milliseconds. */
const WITHDRAWABLE_MS = HOUR_MS;

/** A person asks for help with a dose (HELP-1). */
export function helpRequested(
  bottle: AlertToRaise['bottle'],
  scheduled_at: Date,
  asked_by: Person,
  now: Date,
): AlertToRaise<'help_requested'> {
  return {
    bottle,
    kind: 'help_requested',
    subject: scheduled_at.toISOString(),
    cause: now,
    deadline: now,
    evidence: { rule: 'asked', scheduled_at, asked_by },
  };
}

/** Until when whoever asked can withdraw it; undefined once the alert has ended. */
export function helpWithdrawableUntil({ open, raised_at }: Alert<'help_requested'>): Date | undefined {
  return open && new Date(raised_at.getTime() + WITHDRAWABLE_MS);
}

/** Whoever asked for help needs none any more. */
export function helpWithdrawn(by: string, at: Date): AlertEnd<'help_requested'> {
  return { state: 'resolved', owed: 'resolved', at, by };
}

/** Nobody waits for their turn: all steps are due at once, and repeat as they are. */
export function callingSteps(steps: readonly PersonStep[]): PersonStep[] {
  return steps.map((step) => ({ ...step, after: '0m' }));
}

/** Nobody is called to their own help: whoever asks has no address, so it goes to the next person of the plan (ESC-3). */
export function withoutAsker<D extends PersonDetails>(
  alert: { kind: string; evidence?: unknown } | undefined,
  addressees: Addressees<D>,
): Addressees<D> {
  if (alert?.kind !== 'help_requested') return addressees;
  const { asked_by } = alert.evidence as Alert<'help_requested'>['evidence'];
  const { user, carers } = addressees;
  if (asked_by === USER)
    return { ...addressees, user: user && { ...user, person: { ...user.person, channels: [] } } };
  const others = carers && new Map(carers);
  const asker = others?.get(asked_by);
  if (asker) others!.set(asked_by, { ...asker, channels: [] });
  return { ...addressees, carers: others };
}
