import type { SlotJudgement } from '../doses/judge.js';
import type { Attestation, Reported } from './attestation.js';

/**
 * What people say of doses, read together with what was removed for them: a part from elsewhere and the rest from the bottle
 * are the dose (ATTEST-18). What was measured stays as it is.
 *
 * @param reports by the epoch milliseconds of their slots
 * @param doses those that are looked at; of others the statement stands as it is
 */
export function withRestFromBottle<R extends ReadonlyMap<number, Reported>>(
  reports: R,
  doses: readonly Pick<SlotJudgement, 'slot' | 'pills_taken'>[],
): R {
  const whole = doses.flatMap(({ slot, pills_taken }) => {
    const at = slot.scheduled_at.getTime();
    const report = reports.get(at);
    const { latest } = report ?? {};
    if (!report || !latest || !isPartFromElsewhere(latest) || latest.pills + pills_taken < slot.pills)
      return [];
    return [[at, { ...report, latest: { ...latest, outcome: 'taken' } }] as const];
  });
  return whole.length === 0
    ? reports
    : (new Map([...reports, ...whole]) as ReadonlyMap<number, Reported> as R);
}

/** Pills from the bottle are counted by it: a statement of a part of them may be of the same. */
const isPartFromElsewhere = (latest: Attestation): latest is Attestation & { pills: number } =>
  latest.outcome === 'partial' && latest.source === 'elsewhere' && latest.pills !== undefined;
