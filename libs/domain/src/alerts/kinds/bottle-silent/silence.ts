import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { Slot } from '../../../doses/slots.js';
import type { Alert } from '../../alert.js';
import type { OfKind } from '../../alert-kinds.js';
import { hasNeverReported } from './facts.js';

/** The doses that a silence names: those that it hides, and that cannot be confirmed. None of another alert. */
export function unconfirmedDosesOf(alert: OfKind): readonly Date[] {
  return alert.kind === 'bottle_silent' ? (alert.evidence.unconfirmed_doses ?? []) : [];
}

/** A silence that names only those of its doses for which `isNamed` is true. */
export function namingOnly<A extends Alert>(alert: A, isNamed: (dose: Date) => boolean): A {
  const unconfirmed_doses = unconfirmedDosesOf(alert).filter(isNamed);
  return { ...alert, evidence: { ...alert.evidence, unconfirmed_doses } };
}

/** The id, in hex, of the bottle whose plan the doses are of that an alert names: its own, or the one that it is for. */
export function planOf(alert: Alert): string {
  const own = alert.bottle_id.toHexString();
  return alert.kind === 'bottle_silent' ? (alert.evidence.plan_of ?? own) : own;
}

/** When a silent bottle reported last; undefined if it never did, and of another alert. */
export function silentSince(alert: OfKind): Date | undefined {
  if (alert.kind !== 'bottle_silent' || hasNeverReported(alert.evidence)) return undefined;
  return alert.evidence.last_heard_at;
}

/** When a silence ended; undefined while it lasts, and of another alert. */
export function silentUntil(alert: OfKind): Date | undefined {
  if (alert.kind !== 'bottle_silent' || hasNeverReported(alert.evidence)) return undefined;
  return alert.evidence.heard_again_at;
}

/** Whether the silence that a bottle is in hides what became of a dose: an earlier one hid those that had ended before. */
export function hidesDose(
  { last_heard_at }: Pick<BottleState, 'last_heard_at'>,
  { missed_at }: Pick<Slot, 'missed_at'>,
): boolean {
  return !last_heard_at || missed_at >= last_heard_at;
}
