import { type Reported, settledBy } from '../../../attestations/attestation.js';
import { type DoseOutcome, isTaken } from '../../../doses/judge.js';
import { DAY_MS } from '../../../time/durations.js';

/** A dose as far as a row of missed ones goes. */
export interface RowDose {
  scheduled_at: Date;
  /** As people are notified of it: one whose pills were removed for later is missed. Absent while it has none. */
  outcome?: DoseOutcome;
  /** A statement says that it was taken or skipped. */
  isSettled: boolean;
  /** When people last undid that it had been taken, settled or not monitored. */
  undoneAt?: Date;
}

/** Doses that were missed one after the other. */
export interface MissedRow {
  /** When the first of them was due. */
  since: Date;
  /** When the last of them was due. */
  until: Date;
  count: number;
  /** Its last dose, or when people undid what had broken the row: a row that stands again is another alert. */
  standsSince: Date;
}

/** Rows are looked for in this time. Milliseconds. */
export const LONGEST_ROW_MS = 400 * DAY_MS;

/** A dose as its outcome is on record, and as people are notified of it (ATTEST-14). */
export function rowDoseOf(
  { scheduled_at, outcome, taken_at }: { scheduled_at: Date; outcome: DoseOutcome; taken_at?: Date },
  report: Reported | undefined,
): RowDose {
  const latest = report?.latest;
  const isForLater =
    latest?.kind === 'not_taken' &&
    (outcome === 'partial' || isTaken(outcome)) &&
    !(taken_at && taken_at > latest.at);
  return {
    scheduled_at,
    outcome: isForLater ? 'missed' : outcome,
    ...statedOf(report, isForLater),
  };
}

/**
 * What people say about a dose, as far as a row goes.
 *
 * @param isForLater the bottle measured that it was taken, and by their word its pills were removed for later
 */
export function statedOf(
  report: Reported | undefined,
  isForLater: boolean,
): Pick<RowDose, 'isSettled' | 'undoneAt'> {
  const undoneAt = isForLater ? report?.latest?.at : report?.unsettledAt;
  return { isSettled: settledBy(report) !== undefined, ...(undoneAt && { undoneAt }) };
}

/**
 * The row of missed doses with which these doses end (MISSED-1). Doses that are unknown or not monitored neither
 * count nor break it, unless a statement settles them.
 *
 * @param doses in any order, each once
 * @returns undefined if the last known dose was not missed
 */
export function missedRow(doses: readonly RowDose[]): MissedRow | undefined {
  const known = doses.filter(isKnown).toSorted(byTime);
  const row = known.slice(known.findLastIndex((dose) => !isMissed(dose)) + 1);
  const [first, last] = [row[0], row.at(-1)];
  if (!first || !last) return undefined;
  const [since, until] = [first.scheduled_at, last.scheduled_at];
  const undone = doses.flatMap(({ scheduled_at, undoneAt }) =>
    scheduled_at >= since ? (undoneAt ?? []) : [],
  );
  const changes = [until, ...undone];
  const standsSince = new Date(Math.max(...changes.map((at) => at.getTime())));
  return { since, until, count: row.length, standsSince };
}

/** The last of these doses that is known and was not missed. */
export function breakOf(doses: readonly RowDose[]): Date | undefined {
  return doses
    .filter((dose) => isKnown(dose) && !isMissed(dose))
    .toSorted(byTime)
    .at(-1)?.scheduled_at;
}

/**
 * What has become of a row that people were notified of (MISSED-3, MISSED-4).
 *
 * @param row as it was when its alert was raised
 * @param inARow how many missed doses make a row
 * @param doses all from its first dose on
 * @returns undefined while it stands; `retracted` if late data shows that it never was that long
 */
export function endOfRow(
  { since, until }: Pick<MissedRow, 'since' | 'until'>,
  inARow: number,
  doses: readonly RowDose[],
): 'resolved' | 'retracted' | undefined {
  const ofRow = doses.filter(({ scheduled_at }) => since <= scheduled_at && scheduled_at <= until);
  const isLong = (row: readonly RowDose[]): boolean => (missedRow(row)?.count ?? 0) >= inARow;
  if (!isLong(ofRow.map((dose) => ({ ...dose, isSettled: false })))) return 'retracted';
  const brokenAt = breakOf(doses);
  return !isLong(ofRow) || (brokenAt && brokenAt > until) ? 'resolved' : undefined;
}

const isKnown = ({ outcome, isSettled }: RowDose): boolean =>
  isSettled || (outcome !== undefined && outcome !== 'unknown' && outcome !== 'not_monitored');

const isMissed = ({ outcome, isSettled }: RowDose): boolean => outcome === 'missed' && !isSettled;

const byTime = (one: RowDose, other: RowDose): number =>
  one.scheduled_at.getTime() - other.scheduled_at.getTime();
