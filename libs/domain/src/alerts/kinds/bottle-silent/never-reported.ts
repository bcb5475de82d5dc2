import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import type { SlotJudgement } from '../../../doses/judge.js';
import { heldLast, type UnmonitoredPeriod } from '../../../doses/periods.js';
import { type SharedPlan, sharedPlanAt } from '../../../doses/shared-plan.js';
import { ownedSince, type Owners } from '../../../ownership/ownership.js';
import type { OfKind } from '../../alert-kinds.js';
import type { AlertBottle, AlertToRaise } from '../../findings.js';
import { hasNeverReported, NEVER_REPORTED } from './facts.js';

/**
 * Finds that a bottle has never reported, once a dose of it has ended that nobody could confirm, and that we had listened
 * until then for long enough: since the bottle was registered, or since what ended an earlier alert of it was over (a
 * period without monitoring, or not being in use).
 *
 * @param doses those that no statement settles
 * @param silentAfter milliseconds
 */
export function findNeverReported(
  bottle: AlertBottle &
    Owners & {
      registered_at: Date;
      pauses: readonly UnmonitoredPeriod[];
      shared_plans?: readonly SharedPlan[];
    },
  { last_heard_at, silence_counts_from }: BottleState,
  doses: readonly SlotJudgement[],
  coverage: RecordedCoverage,
  silentAfter: number,
): AlertToRaise<'bottle_silent'>[] {
  if (last_heard_at) return [];
  const { registered_at } = bottle;
  const since = silence_counts_from
    ? (heldLast(bottle.pauses, silence_counts_from, coverage.until) ?? registered_at)
    : registered_at;
  const owned = ownedSince(bottle);
  const unknown = doses
    .filter(({ outcome, slot }) => outcome === 'unknown' && slot.scheduled_at >= owned)
    .map(({ slot }) => slot);
  const isConclusive = ({ missed_at }: SlotJudgement['slot']): boolean =>
    coverage.listened(since, missed_at < coverage.until ? missed_at : coverage.until) >= silentAfter;
  const plan = sharedPlanAt(bottle.shared_plans, coverage.until);
  const first = unknown.find(isConclusive);
  if (!first) return [];
  return [
    {
      bottle,
      kind: 'bottle_silent',
      subject: '',
      // what ended an earlier one is over: it is another silence
      cause: since,
      deadline: first.missed_at,
      evidence: {
        rule: NEVER_REPORTED,
        registered_at,
        unconfirmed_doses: unknown
          .filter(({ missed_at }) => missed_at >= since)
          .map(({ scheduled_at }) => scheduled_at),
        ...(plan && { plan_of: plan.of.toHexString() }),
      },
    },
  ];
}

/** Whether an alert is about a bottle that has never reported. */
export function isNeverReported(alert: OfKind): boolean {
  return alert.kind === 'bottle_silent' && hasNeverReported(alert.evidence);
}
