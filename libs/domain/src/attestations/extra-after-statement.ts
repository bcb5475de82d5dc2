import type { VeryLatePills } from '../doses/extra-doses.js';
import type { SlotJudgement } from '../doses/judge.js';
import type { ExtraDose } from '../doses/match.js';
import { groupBy } from '../group-by.js';
import type { Attestation, Reported } from './attestation.js';

/**
 * Pills that were removed for a dose, also very late, after somebody reported that it was taken from elsewhere, or is skipped
 * on medical advice: then they are too many, as far as the dose did not lack them. What was removed before the statement is
 * not: the statement may be about it.
 *
 * @param reports by the epoch milliseconds of their slots
 */
export function extraAfterStatements(
  doses: readonly SlotJudgement[],
  veryLate: readonly VeryLatePills[],
  reports: ReadonlyMap<number, Reported>,
): ExtraDose[] {
  return doses.flatMap(({ slot: { scheduled_at, pills: due }, matched }) => {
    const latest = reports.get(scheduled_at.getTime())?.latest;
    const reason = latest && reasonOf(latest);
    if (!reason) return [];
    const late = veryLate.filter((pills) => pills.scheduled_at.getTime() === scheduled_at.getTime());
    const removed = [...matched, ...late];
    const before = removed.filter(({ time }) => time <= latest.at).reduce((sum, { pills }) => sum + pills, 0);
    // a statement may be about a part of the dose
    let lacks = reason === 'taken_elsewhere' ? Math.max(0, due - (latest.pills ?? due) - before) : 0;
    return removed
      .filter(({ time }) => time > latest.at)
      .flatMap(({ removal_id, time, pills }) => {
        const extra = Math.max(0, pills - lacks);
        lacks = Math.max(0, lacks - pills);
        return extra > 0 ? { removal_id, time, pills: extra, reason, scheduled_at } : [];
      });
  });
}

/** The pills of one removal that are beyond its dose, and those that a statement makes extra, are one; for the statement. */
export function togetherByRemoval(
  afterStatements: readonly ExtraDose[],
  extra: readonly ExtraDose[],
): ExtraDose[] {
  const all = groupBy([...afterStatements, ...extra], ({ removal_id }) => removal_id);
  return [...all.values()].map((together) => ({
    ...together[0],
    pills: together.reduce((sum, { pills }) => sum + pills, 0),
  }));
}

function reasonOf({ kind, source, reason }: Attestation): ExtraDose['reason'] | undefined {
  if (kind === 'taken' && source === 'elsewhere') return 'taken_elsewhere';
  return kind === 'skipped' && reason === 'doctors_advice' ? 'skipped_on_advice' : undefined;
}
