import type { VeryLatePills } from '../doses/extra-doses.js';
import type { SlotJudgement } from '../doses/judge.js';
import type { ExtraDose } from '../doses/match.js';
import type { Attestation, Reported } from './attestation.js';

/**
 * Pills that were removed for a dose, also very late, after somebody reported that it was taken from elsewhere, or is skipped on medical
 * advice: then they are one dose too many. What was removed before the statement is not: the statement may be about it.
 *
 * @param reports by the epoch milliseconds of their slots
 */
export function extraAfterStatements(
  doses: readonly SlotJudgement[],
  veryLate: readonly VeryLatePills[],
  reports: ReadonlyMap<number, Reported>,
): ExtraDose[] {
  return doses.flatMap(({ slot: { scheduled_at }, matched }) => {
    const latest = reports.get(scheduled_at.getTime())?.latest;
    const reason = latest && reasonOf(latest);
    if (!reason) return [];
    const late = veryLate.filter((pills) => pills.scheduled_at.getTime() === scheduled_at.getTime());
    return [...matched, ...late]
      .filter(({ time }) => time > latest.at)
      .map(({ removal_id, time, pills }) => ({ removal_id, time, pills, reason, scheduled_at }));
  });
}

function reasonOf({ kind, source, reason }: Attestation): ExtraDose['reason'] | undefined {
  if (kind === 'taken' && source === 'elsewhere') return 'taken_elsewhere';
  return kind === 'skipped' && reason === 'doctors_advice' ? 'skipped_on_advice' : undefined;
}
