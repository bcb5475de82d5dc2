import {
  type Alert,
  alertsOf,
  breakOf,
  DAY_MS,
  endForAnother,
  findMissedRow,
  groupBy,
  isOfAnother,
  LONGEST_ROW_MS,
  missedRow,
  missedRowEnd,
  ownedSince,
  reportsBySlot,
  type RowDose,
  rowDoseOf,
  type Slot,
  slotDueAt,
  statedOf,
} from '#domain';
import { AttestationsRepository, DoseOutcomesRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../../config.js';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** The time that is read first; it grows for bottles whose row goes back further. Milliseconds. */
const FIRST_READ_MS = 4 * DAY_MS;
const GROWTH = 4;

/** By the bottle's id: its doses before those that are judged now, as far back as its row may reach. */
type Earlier = ReadonlyMap<string, readonly RowDose[]>;

/** A bottle whose earlier doses are read. */
interface Wanted {
  one: JudgedBottle;
  /** No row of interest begins before this. */
  begins: Date;
  /** The doses so far. */
  found: RowDose[];
}

/** A row of missed doses: whoever has stopped taking them is otherwise one line among many. */
@Injectable()
export class DosesMissedInARowKind implements DoseKind<Earlier> {
  constructor(
    private readonly outcomes: DoseOutcomesRepository,
    private readonly attestations: AttestationsRepository,
    private readonly config: NotifierConfig,
  ) {}

  async prepare(bottles: readonly JudgedBottle[], now: Date): Promise<Earlier> {
    const all = bottles.flatMap((one): Wanted[] => {
      const begins = this.readsFrom(one, now);
      return begins ? [{ one, begins, found: [] }] : [];
    });
    let to = new Date(now.getTime() + 1);
    let wanted = all;
    for (let span = FIRST_READ_MS; wanted.length > 0; span *= GROWTH) {
      const from = new Date(now.getTime() - span);
      await this.readSpan(wanted, from, to);
      wanted = wanted.filter(({ one, begins, found }) => {
        const isBroken = openOf(one) === undefined && breakOf(found) !== undefined;
        return begins < from && !isBroken;
      });
      to = from;
    }
    return new Map(all.map(({ one, found }) => [one.bottle._id.toHexString(), found]));
  }

  judge(one: JudgedBottle, page: Earlier, now: Date): DoseFinding {
    const alert = openOf(one);
    const earlier = page.get(one.bottle._id.toHexString());
    // nothing has changed of a row that is known
    if (alert && !earlier) return {};
    const doses = [...(earlier ?? []), ...dosesOf(one)];
    const end = alert && missedRowEnd(alert, doses, now);
    const formers = rowsOf(one).filter((row) => isOfAnother(row, one.bottle));
    const isRaised = alert && !end;
    const raise = isRaised
      ? []
      : findMissedRow(one.bottle, doses, this.config.MISSED_IN_A_ROW, deadlineIn(one));
    return { end: [...formers.map((row) => endForAnother(row, now)), ...(end ? [end] : [])], raise };
  }

  /** From when on its earlier doses decide; undefined if those that are judged now do. */
  private readsFrom(one: JudgedBottle, now: Date): Date | undefined {
    const doses = dosesOf(one);
    const open = openOf(one);
    if (open) {
      const { missed_since } = open.evidence;
      const brokenAt = breakOf(doses);
      const isChanged = (brokenAt && brokenAt >= missed_since) || doses.some(isLeftOutOf(open));
      return isChanged ? missed_since : undefined;
    }
    const first = one.judged.slots[0]?.slot.scheduled_at;
    const isWhole = first && breakOf(doses.filter(({ scheduled_at }) => scheduled_at >= first));
    const mayStand = missedRow(doses) ?? doses.some(({ undoneAt }) => undoneAt);
    if (this.config.MISSED_IN_A_ROW === 0 || isWhole || !mayStand) return undefined;
    const longest = new Date(now.getTime() - LONGEST_ROW_MS);
    const owned = ownedSince(one.bottle);
    return owned > longest ? owned : longest;
  }

  /** What was recorded of the doses of `[from, to)`, before those that are judged now. */
  private async readSpan(wanted: readonly Wanted[], from: Date, to: Date): Promise<void> {
    const ids = wanted.map(({ one }) => one.bottle._id);
    const [outcomes, entries] = await Promise.all([
      this.outcomes.findOfBottles(ids, from, to),
      this.attestations.findSince(ids, from),
    ]);
    const byBottle = groupBy(outcomes, ({ bottle_id }) => bottle_id.toHexString());
    for (const { one, begins, found } of wanted) {
      const id = one.bottle._id.toHexString();
      const reports = reportsBySlot(entries.get(id) ?? []);
      const known = new Set(dosesOf(one).map(({ scheduled_at }) => scheduled_at.getTime()));
      const judgedFrom = one.judged.slots[0]?.slot.scheduled_at ?? to;
      for (const outcome of byBottle.get(id) ?? []) {
        const { scheduled_at } = outcome;
        const isEarlier = scheduled_at >= begins && scheduled_at < judgedFrom;
        if (isEarlier && !known.has(scheduled_at.getTime()))
          found.push(rowDoseOf(outcome, reports.get(scheduled_at.getTime())));
      }
    }
  }
}

const rowsOf = ({ open }: JudgedBottle): Alert<'doses_missed_in_a_row'>[] =>
  alertsOf(open, 'doses_missed_in_a_row');

const openOf = (one: JudgedBottle): Alert<'doses_missed_in_a_row'> | undefined =>
  rowsOf(one).find((row) => !isOfAnother(row, one.bottle));

/** A dose that may have been one of the row, before it was not known any more, or a period without monitoring was entered. */
const isLeftOutOf =
  ({ evidence: { missed_since, missed_until } }: Alert<'doses_missed_in_a_row'>) =>
  ({ scheduled_at, outcome }: RowDose): boolean =>
    (outcome === 'unknown' || outcome === 'not_monitored') &&
    missed_since <= scheduled_at &&
    scheduled_at <= missed_until;

/** When its doses had to be taken, by the schedule as it is now. */
const deadlineIn =
  ({ bottle: { schedule_versions, pauses }, judged }: JudgedBottle) =>
  (scheduledAt: Date): Date | undefined => {
    const isThis = (slot: Slot): boolean => slot.scheduled_at.getTime() === scheduledAt.getTime();
    const slot =
      judged.slots.map((one) => one.slot).find(isThis) ?? slotDueAt(schedule_versions, pauses, scheduledAt);
    return slot?.missed_at;
  };

/** The doses that are judged now, or stated about since: a row is of one person's. */
function dosesOf(one: JudgedBottle): RowDose[] {
  const { stated, statements, judged, state } = one;
  const own = stated.filter(({ slot }) => slot.scheduled_at >= ownedSince(one.bottle));
  return own.map(({ slot: { scheduled_at }, outcome, for_later_by }) => ({
    scheduled_at,
    ...(outcome && { outcome }),
    ...statedOf(statements.reports.get(scheduled_at.getTime()), for_later_by !== undefined),
    // the period that hid the row was undone
    ...(state.schedule_changed_at &&
      judged.monitored_again.has(scheduled_at.getTime()) && { undoneAt: state.schedule_changed_at }),
  }));
}
