import type { BottleFacts, ExpectedAlert } from './facts.js';

/** So many missed doses make a row (`MISSED_IN_A_ROW`). */
const ROW = 3;

/** What has become of a dose, as people are notified of it. */
export interface EndedDose {
  at: number;
  /** Undefined if it cannot be known. */
  isMissed: boolean | undefined;
  /** A statement says that it was taken or skipped. */
  isSettled: boolean;
}

/** Notes when a row of doses was missed, and when it has ended or never was. */
export class RowWatch {
  readonly alerts: ExpectedAlert[] = [];
  private before: readonly EndedDose[] = [];
  private open: { alert: ExpectedAlert; first: number; last: number } | undefined;

  constructor(
    private readonly facts: BottleFacts,
    /** The doses that are over by what is known now, in order; the same list until something of them may have changed. */
    private readonly ended: () => EndedDose[],
  ) {}

  tick(now: number): void {
    const doses = this.ended();
    if (doses === this.before) return;
    this.before = doses;
    if (this.open) {
      const { alert, first, last } = this.open;
      const named = doses.filter(({ at }) => first <= at && at <= last);
      const measured = named.map((dose) => ({ ...dose, isSettled: false }));
      const breaks = doses.filter((dose) => isKnown(dose) && !isPartOfRow(dose));
      const broken = breaks.at(-1)?.at ?? first;
      const isOver = rowAtEnd(named).length < ROW || broken > last;
      const event = rowAtEnd(measured).length < ROW ? 'retracted' : isOver ? 'resolved' : undefined;
      if (event) {
        alert.ends.push({
          at: now,
          event,
          ...(event === 'resolved' && { facts: { times: { ended_with_dose: broken } } }),
        });
        this.open = undefined;
      }
    }
    if (this.open) return;
    const row = rowAtEnd(doses);
    const [first, last] = [row[0], row.at(-1)];
    if (!first || !last || row.length < ROW) return;
    const alert: ExpectedAlert = {
      bottle: this.facts.key,
      kind: 'doses_missed_in_a_row',
      raisedAt: now,
      raisedBy: now,
      ends: [],
      flapping: false,
      clear: [],
      facts: {
        numbers: { doses_missed: row.length },
        times: { missed_since: first.at, missed_until: last.at },
      },
    };
    this.alerts.push(alert);
    this.open = { alert, first: first.at, last: last.at };
  }
}

/** The missed doses at the end of these; those that cannot be known are not counted. */
function rowAtEnd(doses: readonly EndedDose[]): EndedDose[] {
  const known = doses.filter(isKnown);
  return known.slice(known.findLastIndex((dose) => !isPartOfRow(dose)) + 1);
}

function isKnown({ isMissed, isSettled }: EndedDose): boolean {
  return isMissed !== undefined || isSettled;
}

function isPartOfRow({ isMissed, isSettled }: EndedDose): boolean {
  return isMissed === true && !isSettled;
}
