import { askedSpans, hidingPeriod } from './asked-bottles.js';
import { RecordedCoverage } from '../coverage/recorded-coverage.js';
import { BACKLOG_GRACE_MS, ContactLog, type Contacts, type Confirmation, PlanContacts } from './contacts.js';
import {
  matchRemovals,
  type MatchedRemoval,
  type Removal,
  type SlotMatch,
  type UnmatchedPills,
} from './match.js';
import { type UnmonitoredPeriod, periodAt, type PeriodReason, reasonOf } from './periods.js';
import type { SharedPlan } from './shared-plan.js';
import type { Slot } from './slots.js';
import { mayBeTakenBy, type UnclearClosing, unclearClosings } from './unclear-closings.js';
import {
  mayBeTaken,
  type ReportedCounts,
  type UnreportedPills,
  unreportedPills,
} from './unreported-pills.js';

/**
 * The outcome of a dose. Pills beyond it are an extra dose, not an outcome. `not_monitored`: it was due in a period of
 * which the bottle says nothing.
 */
export const DOSE_OUTCOMES = [
  'taken_early',
  'taken_on_time',
  'taken_late',
  'partial',
  'missed',
  'unknown',
  'not_monitored',
] as const;
export type DoseOutcome = (typeof DOSE_OUTCOMES)[number];

/** Whether a whole dose was taken, at whatever time. */
export function isTaken(outcome: DoseOutcome): boolean {
  return outcome === 'taken_early' || outcome === 'taken_on_time' || outcome === 'taken_late';
}

/**
 * `pending`: not late yet. `awaiting_contact`: late, without a contact since. `late`: not taken, as a later contact
 * shows; the alert `missed_dose` is due. `judged`: there is an outcome, which only new data changes.
 */
export type DosePhase = 'pending' | 'awaiting_contact' | 'late' | 'judged';

/** The period without monitoring that a dose was due in. */
export interface DosePeriod {
  reason: PeriodReason;
  /** When it was entered or changed. */
  at: Date;
}

export interface SlotJudgement {
  slot: Slot;
  phase: DosePhase;
  /** Present if and only if the phase is `judged`. */
  outcome?: DoseOutcome;
  /** The removal that made the dose whole; absent for a part of a dose. */
  taken_at?: Date;
  pills_taken: number;
  matched: MatchedRemoval[];
  /** The contact that proves `late`, `missed` or `partial`. */
  confirmed_by?: Date;
  /** Of `unknown`: the first contact after the dose's end, if there is one. */
  back_at?: Date;
  /** Of `unknown`: pills that may be the dose left the bottle by its count, and the closing was lost. */
  unreported?: UnreportedPills;
  /** Of `unknown`: a closing in its window by which it may have been taken, though no report shows it. */
  unclear_closing?: UnclearClosing;
  /**
   * Of `not_monitored`: the period that its slot is in. Of `unknown`: that of a further bottle of its plan, from which, or
   * in place of which, it may have been taken.
   */
  period?: DosePeriod;
  /**
   * The earliest time at which this could change without new data; of `unknown`, when a backlog has had its grace, or the
   * count is looked at again.
   */
  next_look_at?: Date;
  /** Whether a contact arriving now could change this. */
  awaiting_contact: boolean;
}

/** Whether a dose is unknown because the bottle was not connected at its end: nothing else is known to be the reason. */
export function isUnknownInSilence(
  dose: Pick<SlotJudgement, 'outcome' | 'unreported' | 'unclear_closing' | 'period'>,
): boolean {
  const { outcome, unreported, unclear_closing, period } = dose;
  return outcome === 'unknown' && !unreported && !unclear_closing && !period;
}

/** What is known of a further bottle that is for the same plan. */
export interface OtherBottle {
  /** When it was for the plan; its removals of other times are not among those that are judged. */
  shared: readonly Pick<SharedPlan, 'from' | 'until'>[];
  /** Its own periods without monitoring. */
  periods?: readonly UnmonitoredPeriod[];
  /** As for the bottle that has the plan. Of one that is erased since, nothing is known. */
  contacts: readonly Date[];
  erased?: true;
  counts?: ReportedCounts;
}

export interface JudgeInput {
  /** Slots of one plan, from a `chainStart` on. */
  slots: readonly Slot[];
  /** Removals of all bottles of the plan, from the first slot's `early_from` on, by the bottle's time. */
  removals: readonly Removal[];
  /** The further bottles of the plan; none if it is one bottle's alone. */
  others?: readonly OtherBottle[];
  /** The receipt times of all reports of the bottle; those after `now` are ignored. */
  contacts: readonly Date[];
  now: Date;
  /** Reports were accepted for longer between two contacts, or for so long since the last one: that is a silence. */
  silent_after_ms: number;
  /** The grace for a backlog after a contact that ends a silence or an outage of ours; 2 minutes by default. */
  backlog_grace_ms?: number;
  /** When reports were accepted, from the contact before the first slot's window on; without it, always. */
  coverage?: RecordedCoverage;
  /** The outcomes on record, by the epoch milliseconds of their slots: contacts of their time may not be in a log any more. */
  recorded?: ReadonlyMap<number, DoseOutcome>;
  /** What the bottle counted around the slots that are not whole; without it, it does not count by itself. */
  counts?: ReportedCounts;
}

export interface JudgeResult {
  slots: SlotJudgement[];
  extra: UnmatchedPills[];
  /** The earliest `next_look_at` of all slots. */
  next_look_at?: Date;
  /** Whether any slot awaits a contact. */
  awaiting_contact: boolean;
}

/** The judgement of a slot in a period without monitoring, whatever was removed for it. */
export function judgeNotMonitored(slot: Slot, periods: readonly UnmonitoredPeriod[]): SlotJudgement {
  const period = dosePeriod(periodAt(periods, slot.scheduled_at)!);
  return {
    slot,
    phase: 'judged',
    outcome: 'not_monitored',
    period,
    pills_taken: 0,
    matched: [],
    awaiting_contact: false,
  };
}

function dosePeriod(period: UnmonitoredPeriod): DosePeriod {
  return { reason: reasonOf(period), at: period.changed_at ?? period.recorded_at ?? period.from };
}

interface Evidence {
  now: number;
  log: Contacts;
  /** Removals by their ids, if it is known when they were reported. */
  reported: ReadonlyMap<string, Removal>;
  recorded: JudgeInput['recorded'];
  /** Of each bottle that counts by itself. */
  counts: readonly ReportedCounts[];
  /** All slots with their removals: pills that no closing reported may be of any of them. */
  matches: readonly SlotMatch[];
  silentAfter: number;
  others: readonly OtherBottle[];
}

/** A dose that is not whole. */
type Part = Pick<SlotMatch, 'slot' | 'matched' | 'pills_taken'>;

type Finding = Omit<SlotJudgement, 'slot' | 'taken_at' | 'pills_taken' | 'matched'>;

/**
 * Judges slots. A dose that is not whole is late or missed only after a contact that would have reported it; if the
 * end of its window is in a silence, the outcome is `unknown`, or `partial` if a part of it was reported afterwards.
 *
 * A pure function of the sets of slots, removals and contacts and of `now`: order and repetition change nothing.
 */
export function judgeSlots(input: JudgeInput): JudgeResult {
  const { slots, extra } = matchRemovals(input.slots, input.removals);
  const evidence = evidenceOf(input, slots);
  const judged = slots.map((match) => judgeSlot(match, evidence));
  const nextChanges = judged.flatMap(({ next_look_at }) => next_look_at?.getTime() ?? []);
  return {
    slots: judged,
    extra,
    ...(nextChanges.length > 0 && { next_look_at: new Date(Math.min(...nextChanges)) }),
    awaiting_contact: judged.some((judgement) => judgement.awaiting_contact),
  };
}

function evidenceOf(
  {
    contacts,
    removals,
    now,
    silent_after_ms: silentAfter,
    backlog_grace_ms = BACKLOG_GRACE_MS,
    coverage = RecordedCoverage.unbroken(now),
    recorded,
    counts,
    others = [],
  }: JudgeInput,
  matches: readonly SlotMatch[],
): Evidence {
  const rules = { now: now.getTime(), silentAfterMs: silentAfter, graceMs: backlog_grace_ms, coverage };
  const own = new ContactLog(contacts, rules);
  const further = others.map((other) => ({
    log: new ContactLog(other.contacts, rules),
    spans: askedSpans(other),
  }));
  const log = further.length > 0 ? new PlanContacts(own, further) : own;
  const known = removals.filter(({ received_at }) => received_at !== undefined);
  const reported = new Map(known.map((removal) => [removal.id, removal]));
  const counted = [counts, ...others.map((other) => other.counts)].filter((each) => each !== undefined);
  return { now: now.getTime(), log, reported, recorded, counts: counted, matches, silentAfter, others };
}

function judgeSlot(match: SlotMatch, evidence: Evidence): SlotJudgement {
  const { slot, matched, pills_taken, completed_at } = match;
  const base = { slot, pills_taken, matched };
  if (completed_at) {
    const outcome = timingOf(slot, completed_at);
    return { ...base, phase: 'judged', outcome, taken_at: completed_at, awaiting_contact: false };
  }
  const found = unlessMaybeTaken(match, judgeIncomplete(base, evidence), evidence);
  return { ...base, ...unlessHidden(slot, found, evidence) };
}

function timingOf(slot: Slot, at: Date): DoseOutcome {
  if (at < slot.scheduled_at) return 'taken_early';
  return at <= slot.late_at ? 'taken_on_time' : 'taken_late';
}

function judgeIncomplete(part: Part, evidence: Evidence): Finding {
  const { slot } = part;
  const { now } = evidence;
  if (now < slot.late_at.getTime()) {
    return { phase: 'pending', next_look_at: slot.late_at, awaiting_contact: false };
  }
  // the bottle left use before the dose was over: nobody knows what became of it
  if (slot.is_cut && now >= slot.missed_at.getTime())
    return { phase: 'judged', outcome: 'unknown', awaiting_contact: false };
  if (now >= slot.missed_at.getTime()) return judgeEnded(part, evidence);
  const late = evidence.log.around(slot.late_at.getTime(), slot.early_from.getTime());
  const next = earliest([slot.missed_at.getTime(), late.reliableFrom], now);
  return { ...lateOrAwaiting(late, now), ...next, awaiting_contact: late.first === undefined };
}

/**
 * What was found, unless the count says that pills left the bottle which may be the dose, or nothing shows what was taken
 * out at a closing in its window: then nobody knows whether it was taken. Before its end the pills that left must be all
 * that it lacks. What is counted after the contact that proves its end is left out.
 */
function unlessMaybeTaken(match: SlotMatch, found: Finding, evidence: Evidence): Finding {
  const { counts, matches, now, silentAfter } = evidence;
  const { phase, outcome, confirmed_by } = found;
  const isOver = outcome === 'missed' || outcome === 'partial';
  if (counts.length === 0 || !confirmed_by || (phase !== 'late' && !isOver)) return found;
  const { slot, pills_taken } = match;
  const to = isOver ? confirmed_by : new Date(now);
  const left = counts
    .flatMap((each) => unreportedPills(each, to))
    .sort((one, other) => one.from.getTime() - other.from.getTime());
  const lost = mayBeTaken(matches, left).get(match);
  if (lost && (isOver || pills_taken + lost.of_dose >= slot.pills)) {
    const { pills, from, until } = lost;
    const unreported = { pills, from, until };
    // the count may be back before its end
    const back = isOver ? {} : earliest([slot.missed_at.getTime(), now + silentAfter / 2], now);
    return {
      phase: 'judged',
      outcome: 'unknown',
      unreported,
      confirmed_by,
      ...back,
      awaiting_contact: false,
    };
  }
  // the lid may have stayed open for long after its end
  const unclear = counts.flatMap(({ actions }) => unclearClosings(actions, new Date(now)));
  const unclear_closing = mayBeTakenBy(matches, unclear).get(match);
  if (unclear_closing)
    return { phase: 'judged', outcome: 'unknown', unclear_closing, confirmed_by, awaiting_contact: false };
  // a closing may be lost while people are reminded of the dose
  const again = counts.some(({ heartbeats }) => heartbeats.length > 0) ? now + silentAfter / 2 : undefined;
  return isOver ? found : { ...found, ...earliest([found.next_look_at?.getTime(), again], now) };
}

/**
 * What was found, unless it may have been taken in a period without monitoring of a further bottle of the plan: then nobody
 * knows, whatever the bottles report.
 */
function unlessHidden(slot: Slot, found: Finding, { others }: Evidence): Finding {
  const { phase, outcome, ...rest } = found;
  const isOver = outcome === 'missed' || outcome === 'partial';
  if (phase !== 'late' && !isOver) return found;
  const period = hidingPeriod(others, slot.early_from, isOver ? slot.missed_at : slot.late_at);
  if (!period) return found;
  return isOver
    ? { ...rest, phase: 'judged', outcome: 'unknown', period: dosePeriod(period) }
    : { ...rest, phase: 'awaiting_contact' };
}

/** After `missed_at`: the contacts before and after it decide. */
function judgeEnded(part: Part, evidence: Evidence): Finding {
  const { slot, pills_taken: pillsTaken } = part;
  const { now, log } = evidence;
  const opens = slot.early_from.getTime();
  const ended = log.around(slot.missed_at.getTime(), opens);
  if (ended.afterSilence) return judgeUnconfirmed(part, ended, evidence);
  if (ended.first !== undefined && isReliable(ended, now)) {
    const outcome = pillsTaken > 0 ? 'partial' : 'missed';
    return { phase: 'judged', outcome, confirmed_by: new Date(ended.first), awaiting_contact: false };
  }
  const late = log.around(slot.late_at.getTime(), opens);
  const givenUp = ended.first === undefined ? now + log.missingSilence(ended.before!) : undefined;
  return {
    ...lateOrAwaiting(late, now),
    ...earliest([givenUp, ended.reliableFrom, late.reliableFrom], now),
    awaiting_contact: ended.first === undefined,
  };
}

/**
 * After a silence over `missed_at`: unknown, unless each bottle that was silent reported a removal of the dose after it. Then it kept
 * its reports, and what it has not sent once the backlog has had its grace was not taken. A dose on record as missed or
 * partial was in contact at its end, though the contacts are not kept: it stays so, whatever part of it is found. Not if
 * only a further bottle of the plan was silent: it may not have been asked then, by an entry that is removed now (PLAN-8).
 */
function judgeUnconfirmed(
  { slot, matched, pills_taken: pillsTaken }: Part,
  ended: Confirmation,
  { now, reported, recorded }: Evidence,
): Finding {
  const { silent = [0] } = ended;
  const before = recorded?.get(slot.scheduled_at.getTime());
  if (silent.includes(0) && (before === 'missed' || before === 'partial')) {
    return { phase: 'judged', outcome: pillsTaken > 0 ? 'partial' : 'missed', awaiting_contact: false };
  }
  const hasReported = (bottle: number): boolean =>
    matched.some(({ removal_id }) => {
      const removal = reported.get(removal_id);
      return (
        removal !== undefined && (removal.bottle ?? 0) === bottle && removal.received_at! > slot.missed_at
      );
    });
  const isBacklog = !ended.leftSilent && silent.every(hasReported);
  if (ended.first === undefined) return { phase: 'judged', outcome: 'unknown', awaiting_contact: false };
  if (!isBacklog)
    return {
      phase: 'judged',
      outcome: 'unknown',
      back_at: new Date(ended.first),
      ...earliest([ended.reliableFrom], now),
      awaiting_contact: false,
    };
  if (!isReliable(ended, now))
    return { phase: 'awaiting_contact', ...earliest([ended.reliableFrom], now), awaiting_contact: false };
  return {
    phase: 'judged',
    outcome: 'partial',
    confirmed_by: new Date(ended.first),
    awaiting_contact: false,
  };
}

function lateOrAwaiting(late: Confirmation, now: number): Pick<Finding, 'phase' | 'confirmed_by'> {
  if (late.first === undefined || late.leftSilent || !isReliable(late, now))
    return { phase: 'awaiting_contact' };
  return { phase: 'late', confirmed_by: new Date(late.first) };
}

function isReliable({ reliableFrom }: Confirmation, now: number): boolean {
  return reliableFrom !== undefined && reliableFrom <= now;
}

function earliest(moments: readonly (number | undefined)[], now: number): Pick<Finding, 'next_look_at'> {
  const later = moments.filter((moment): moment is number => moment !== undefined && moment > now);
  return later.length > 0 ? { next_look_at: new Date(Math.min(...later)) } : {};
}
