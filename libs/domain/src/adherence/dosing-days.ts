import { Temporal } from 'temporal-polyfill';
import type { Statement } from '../attestations/index.js';
import {
  type DoseOutcome,
  endsAt,
  periodAt,
  type Prescribed,
  nextSlotAfter,
  type Slot,
  slotsBetween,
  type UnmonitoredPeriod,
  versionAt,
} from '../doses/index.js';
import { groupBy } from '../group-by.js';
import type { AttestedDose } from './adherence.js';

/** A removal up to 02:59 is the day's before: people who go to bed late are not a day early. As in CleanADHdata.R. */
export const DAY_BEGINS_AT = { hours: 3 } as const;

/** Pills that left the bottle at one closing. */
export interface RemovedPills {
  time: Date;
  pills: number;
}

export interface DosingDaysInput {
  plan: Prescribed;
  removals: readonly RemovedPills[];
  outcomes: readonly JudgedDose[];
  /** At most one of a slot: the latest that stands. */
  attested?: readonly DoseStatement[];
  /** Removed pills that were no dose, by the statements that stand. */
  no_doses?: readonly RemovedPills[];
  /** The first report of the bottle; null if it has not reported. Before it, a day without a dose was not seen. */
  monitored_since?: Date | null;
  /** The days that lie from midnight to midnight within [from, to). */
  from: Date;
  to: Date;
  /** No day counts that is not over. */
  now: Date;
  /** IANA name in which days are counted. */
  zone: string;
}

export interface JudgedDose {
  scheduled_at: Date;
  outcome: DoseOutcome;
  pills_taken: number;
}

export type DoseStatement = AttestedDose & Pick<Statement, 'pills' | 'source'>;

/** Why a day is in no figure although something is known of it. */
export const LEFT_OUT = ['not_monitored', 'unknown', 'not_judged', 'excused'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

/** Of a day, by the bottle alone or with people's word. */
export interface DayFigure {
  /** Pills. */
  removed: number;
  expected: number;
  /** 1 if at least the prescribed amount was removed, else 0; null if it is left out. */
  implemented: 1 | 0 | null;
  left_out?: LeftOut;
}

/** A day of the plan: from 03:00 to 03:00 of the next. */
export interface DosingDay {
  /** `YYYY-MM-DD`. */
  local_date: string;
  measured: DayFigure;
  reported: DayFigure;
}

/**
 * Whether the prescribed amount was removed on each day of the plan, exactly as in CleanADHdata.R (docs/adherence.md):
 * pills removed, with people's word corrected by what they say, are at least those that the plan expects. On a day
 * without a dose within the plan 0 is expected. Days before the first step and after the end of a course are not of the
 * plan, nor are those of a step as needed.
 *
 * A pure function of the sets of its records: their order changes nothing.
 */
export function dosingDays(input: DosingDaysInput): DosingDay[] {
  const { plan, from, to, now, zone } = input;
  const days = completeDays(from, to, now, zone);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const dayOf = dayReader(zone);
  // also those of which the bottle says nothing
  const slots = slotsBetween(plan.versions, [], first.from, last.to);
  const lastSlot = slots.at(-1)?.scheduled_at ?? new Date(0);
  const hasLaterSlot = nextSlotAfter(plan.versions, [], new Date(last.to.getTime() - 1)) !== undefined;
  const byDay = {
    slots: groupBy(slots, ({ scheduled_at }) => dayOf(scheduled_at)),
    removals: groupBy(input.removals, ({ time }) => dayOf(time)),
    noDoses: groupBy(input.no_doses ?? [], ({ time }) => dayOf(time)),
  };
  const bySlot = {
    outcomes: new Map(input.outcomes.map((dose) => [dose.scheduled_at.getTime(), dose])),
    attested: new Map((input.attested ?? []).map((dose) => [dose.scheduled_at.getTime(), dose])),
  };
  const isOfPlan = ({ local_date, from: begins }: CompleteDay): boolean => {
    if (byDay.slots.has(local_date)) return true;
    const version = versionAt(plan.versions, begins);
    if (!version || version.schedule.kind === 'as_needed') return false;
    return hasLaterSlot || begins <= lastSlot || nextSlotAfter([version], [], begins) !== undefined;
  };
  return days.filter(isOfPlan).map((day): DosingDay => {
    const doses = (byDay.slots.get(day.local_date) ?? []).map((slot) => doseOf(slot, bySlot));
    const removed = pillsOf(byDay.removals.get(day.local_date));
    const isNotMonitored =
      plan.periods.some((period) => touchesDay(period, day)) ||
      doses.some(({ slot }) => periodAt(plan.periods, slot.scheduled_at) !== undefined);
    const measured = { removed, expected: sum(doses.map(({ slot }) => slot.pills)) };
    const isUnseen = doses.length === 0 && removed === 0 && !isSince(input.monitored_since, day.from);
    const whyNot = (worded: boolean): LeftOut | undefined => {
      if (isNotMonitored) return 'not_monitored';
      return isUnseen ? 'unknown' : leftOut(doses, worded);
    };
    const reported = corrected(removed - pillsOf(byDay.noDoses.get(day.local_date)), doses);
    return {
      local_date: day.local_date,
      measured: figure(measured, whyNot(false)),
      reported: figure(reported, whyNot(true)),
    };
  });
}

/** A slot with its outcome, if it has one, and what people say of it. */
interface Dose {
  slot: Slot;
  judged: JudgedDose | undefined;
  statement: DoseStatement | undefined;
}

function doseOf(
  slot: Slot,
  of: { outcomes: ReadonlyMap<number, JudgedDose>; attested: ReadonlyMap<number, DoseStatement> },
): Dose {
  const at = slot.scheduled_at.getTime();
  return { slot, judged: of.outcomes.get(at), statement: of.attested.get(at) };
}

function figure(amounts: { removed: number; expected: number }, left_out: LeftOut | undefined): DayFigure {
  if (left_out) return { ...amounts, implemented: null, left_out };
  return { ...amounts, implemented: amounts.removed >= amounts.expected ? 1 : 0 };
}

/** @param worded a statement makes an unknown dose known */
function leftOut(doses: readonly Dose[], worded: boolean): LeftOut | undefined {
  // one whose period was removed is judged again soon
  if (doses.some(({ judged }) => !judged || judged.outcome === 'not_monitored')) return 'not_judged';
  if (doses.some(({ judged, statement }) => judged!.outcome === 'unknown' && !(worded && statement)))
    return 'unknown';
  return worded && doses.length > 0 && doses.every(isExcused) ? 'excused' : undefined;
}

const isExcused = ({ statement }: Dose): boolean => statement?.reason === 'doctors_advice';

/**
 * What was removed and expected by people's word. A dose from elsewhere is added; of every other statement the difference
 * to what was measured. Pills that one says came from the bottle may be removals of the day that are of no dose.
 */
function corrected(removed: number, doses: readonly Dose[]): { removed: number; expected: number } {
  const prescribed = doses.filter((dose) => !isExcused(dose));
  const stated = doses.flatMap(({ slot, judged, statement }) =>
    statement ? [{ statement, measured: judged?.pills_taken ?? 0, pills: statedPills(statement, slot) }] : [],
  );
  const elsewhere = stated.filter(({ statement }) => statement.source === 'elsewhere');
  const differences = stated
    .filter(({ statement }) => statement.source !== 'elsewhere')
    .map(({ pills, measured }) => pills - measured);
  const more = sum(differences.filter((pills) => pills > 0));
  const less = sum(differences.filter((pills) => pills < 0));
  const ofNoDose = Math.max(0, removed - sum(doses.map(({ judged }) => judged?.pills_taken ?? 0)));
  return {
    removed: removed + sum(elsewhere.map(({ pills }) => pills)) + less + Math.max(0, more - ofNoDose),
    expected: sum(prescribed.map(({ slot }) => slot.pills)),
  };
}

function statedPills({ outcome, pills }: DoseStatement, slot: Slot): number {
  return outcome === 'skipped' || outcome === 'not_taken' ? 0 : (pills ?? slot.pills);
}

/** A calendar day that is over, with the instants of its 03:00 and of the next. */
interface CompleteDay {
  local_date: string;
  from: Date;
  to: Date;
  midnight: Date;
}

function completeDays(from: Date, to: Date, now: Date, zone: string): CompleteDay[] {
  const days: CompleteDay[] = [];
  const instantOf = (time: Temporal.PlainDateTime): Date =>
    new Date(time.toZonedDateTime(zone).epochMilliseconds);
  let date = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  for (; ; date = date.add({ days: 1 })) {
    const next = date.add({ days: 1 });
    const midnight = instantOf(next.toPlainDateTime());
    const ends = instantOf(next.toPlainDateTime().add(DAY_BEGINS_AT));
    if (midnight > to || ends > now) return days;
    if (instantOf(date.toPlainDateTime()) < from) continue;
    const begins = instantOf(date.toPlainDateTime().add(DAY_BEGINS_AT));
    days.push({ local_date: date.toString(), from: begins, to: ends, midnight });
  }
}

/** Whether a period has a part of the day between 03:00 and midnight: a period of whole days may begin at either. */
function touchesDay(period: UnmonitoredPeriod, day: CompleteDay): boolean {
  return period.from < day.midnight && endsAt(period) > day.from.getTime();
}

/** Whether the bottle had reported by then. */
const isSince = (first: Date | null | undefined, at: Date): boolean =>
  first === undefined || (first !== null && first <= at);

/** The day of an instant, `YYYY-MM-DD`. */
function dayReader(zone: string): (at: Date) => string {
  return (at) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime())
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .subtract(DAY_BEGINS_AT)
      .toPlainDate()
      .toString();
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const pillsOf = (removed: readonly RemovedPills[] = []): number => sum(removed.map(({ pills }) => pills));
