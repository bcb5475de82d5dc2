import type { RecordedCoverage } from '../coverage/recorded-coverage.js';
import { type AsNeededCount, asNeededAt, countAsNeeded, isAsNeeded } from './as-needed.js';
import { BACKLOG_GRACE_MS } from './contacts.js';
import {
  type DoseOutcome,
  type DosePeriod,
  judgeNotMonitored,
  judgeSlots,
  type JudgeInput,
  type OtherBottle,
  type SlotJudgement,
} from './judge.js';
import { type LocalDay, localDayAt } from './local-day.js';
import type { Removal } from './match.js';
import { isAsked } from './asked-bottles.js';
import type { UnmonitoredPeriod } from './periods.js';
import { SCHEDULE_LIMITS, type ScheduleVersion, windowsOf } from './schedule.js';
import { DAY_MS } from '../time/durations.js';
import { chainStart, nextSlotAfter, type Slot, slotsBetween, slotsNotMonitored } from './slots.js';
import type { UnclearClosing } from './unclear-closings.js';
import type { ReportedCounts, UnreportedPills } from './unreported-pills.js';

/**
 * How a dose stands now. `upcoming`: before its time and not whole. `due`: from its time on, not whole, and not known
 * to be late. `late`: a report after `late_at` shows that it is not whole. Otherwise its outcome; `unknown` is also a
 * dose whose time has come while the bottle is silent.
 */
export type DoseStatus = 'upcoming' | 'due' | 'late' | DoseOutcome;

/** A time without reports. */
export interface Offline {
  /** The last report before it; absent if the bottle never reported. */
  since?: Date;
  /** The first report after it; absent while it lasts. */
  until?: Date;
}

export interface TodaysDose {
  slot: Slot;
  status: DoseStatus;
  pills_taken: number;
  /** When the dose was whole. */
  taken_at?: Date;
  /** Why the dose is unknown; of a late dose, that the bottle has been silent since. */
  offline?: Offline;
  /** Why the dose is unknown while the bottle was connected: a closing was lost. */
  unreported?: UnreportedPills;
  /** Why the dose is unknown while the bottle was connected: no report shows what was taken out. */
  unclear_closing?: UnclearClosing;
  /** Why the dose is not monitored. */
  period?: DosePeriod;
}

/** The doses of a patient's local day as they stand now. */
export interface Today {
  day: LocalDay;
  /** Doses of the day, and earlier ones without an outcome yet, in order. */
  doses: TodaysDose[];
  /** Present if the schedule in effect is as needed. */
  as_needed?: AsNeededCount;
  /** The next dose that is not whole yet, strictly after now. */
  next?: Slot;
  /** What was taken of the slots for which a removal can count now. */
  progress: { slot: Slot; pills_taken: number }[];
  /** The earliest time at which any of this may change without new data. */
  changes_at: Date;
}

interface Plan {
  versions: readonly ScheduleVersion[];
  periods: readonly UnmonitoredPeriod[];
  /** The patient's: IANA name. */
  time_zone: string;
  now: Date;
  /** As for `judgeSlots`. */
  silent_after_ms: number;
  backlog_grace_ms?: number;
}

/** Which slots the doses of a day depend on, and the evidence to read for them. */
export interface TodayPlan {
  day: LocalDay;
  /** From a `chainStart` on, up to the last slot for which a removal can count now. */
  slots: Slot[];
  /** Slots whose windows ended before this have their outcome. */
  settled_before: Date;
  /** The removals that matter are at or after this; absent if none does. */
  removals_since?: Date;
  /** The contacts that matter are at or after this; absent if none does. */
  contacts_since?: Date;
}

/** Plans the doses of the patient's local day. */
export function planToday(plan: Plan): TodayPlan {
  const { versions, periods, time_zone, now, silent_after_ms, backlog_grace_ms = BACKLOG_GRACE_MS } = plan;
  const day = localDayAt(now, time_zone);
  const settled_before = new Date(day.from.getTime() - silent_after_ms - backlog_grace_ms);
  const slots = slotsAround(versions, periods, settled_before, day, now);
  const first = slots.find(({ missed_at }) => missed_at >= settled_before);
  const ofDay = asNeededAt(versions, now) && new Date(now.getTime() - DAY_MS);
  const since = [slots[0]?.early_from, ofDay].filter((at) => at !== undefined);
  return {
    day,
    slots,
    settled_before,
    ...(since.length > 0 && { removals_since: new Date(Math.min(...since.map((at) => at.getTime()))) }),
    ...(first && { contacts_since: new Date(first.late_at.getTime() - 2 * silent_after_ms) }),
  };
}

function slotsAround(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  settledBefore: Date,
  day: LocalDay,
  now: Date,
): Slot[] {
  if (versions.every(isAsNeeded)) return [];
  const longest = Math.max(...versions.map(({ schedule }) => windowsOf(schedule).missed_ms));
  const from = chainStart(versions, periods, new Date(settledBefore.getTime() - longest));
  const ahead = now.getTime() + SCHEDULE_LIMITS.early_window_ms + 1;
  return slotsBetween(versions, periods, from, new Date(Math.max(day.to.getTime(), ahead)));
}

/** What `planToday` asked for. */
interface TodayEvidence extends Plan {
  removals: readonly Removal[];
  contacts: readonly Date[];
  /** As for `judgeSlots`. */
  others?: readonly OtherBottle[];
  /** The last contact, if any. */
  last_seen_at?: Date | undefined;
  /** The bottle is silent now. */
  is_silent: boolean;
  /** As for `judgeSlots`. */
  coverage?: RecordedCoverage;
  /** As for `judgeSlots`. */
  counts?: ReportedCounts;
  /** As for `judgeSlots`. */
  recorded?: JudgeInput['recorded'];
}

/**
 * Judges the doses of the patient's local day, by the same rules as the notifier. A pure function of the plan and the
 * evidence.
 */
export function judgeToday(today: TodayPlan, evidence: TodayEvidence): Today {
  const { versions, periods, now } = evidence;
  const judged = judgeSlots({ ...evidence, slots: today.slots });
  const doses = [...judged.slots, ...notMonitored(today, evidence)]
    .filter((each) => isShown(each, today))
    .toSorted((one, other) => one.slot.scheduled_at.getTime() - other.slot.scheduled_at.getTime())
    .map((each) => standingOf(each, evidence));
  const asNeeded = asNeededAt(versions, now);
  const next = nextDose(judged.slots, evidence);
  const changes = [
    today.day.to,
    ...doses.map(({ slot }) => slot.scheduled_at),
    judged.next_look_at,
    next?.scheduled_at,
    // a pill of yesterday counts for 24 h
    ...(asNeeded ? evidence.removals.map(({ time }) => new Date(time.getTime() + DAY_MS + 1)) : []),
    ...periods.flatMap(({ from, to }) => [from, to]),
    ...versions.map(({ effective_from }) => effective_from),
    evidence.last_seen_at && new Date(evidence.last_seen_at.getTime() + evidence.silent_after_ms),
  ];
  return {
    day: today.day,
    doses,
    ...(asNeeded && { as_needed: countAsNeeded(asNeeded, evidence, now) }),
    ...(next && { next }),
    progress: judged.slots
      .filter(({ slot, pills_taken }) => slot.missed_at > now && pills_taken > 0)
      .map(({ slot, pills_taken }) => ({ slot, pills_taken })),
    changes_at: earliestAfter(now, changes),
  };
}

/** The doses of the day that are in a period without monitoring: nothing more will be known of them. */
function notMonitored({ day }: TodayPlan, { versions, periods }: TodayEvidence): SlotJudgement[] {
  const slots = slotsNotMonitored(versions, periods, day.from, day.to);
  return slots.map((slot) => judgeNotMonitored(slot, periods));
}

/** A dose of an earlier day is shown while it has no outcome. */
function isShown({ slot, phase }: SlotJudgement, { day, settled_before }: TodayPlan): boolean {
  if (slot.scheduled_at >= day.from) return slot.scheduled_at < day.to;
  return phase !== 'judged' && slot.missed_at >= settled_before;
}

function standingOf(judgement: SlotJudgement, evidence: TodayEvidence): TodaysDose {
  const { slot, pills_taken, taken_at } = judgement;
  return { slot, pills_taken, ...(taken_at && { taken_at }), ...statusOf(judgement, evidence) };
}

function statusOf(
  { slot, phase, outcome, unreported, unclear_closing, period }: SlotJudgement,
  { now, is_silent, last_seen_at, contacts, others = [] }: TodayEvidence,
): Pick<TodaysDose, 'status' | 'offline' | 'unreported' | 'unclear_closing' | 'period'> {
  if (outcome === 'unknown' && unreported) return { status: outcome, unreported };
  if (outcome === 'unknown' && unclear_closing) return { status: outcome, unclear_closing };
  if (outcome === 'unknown' && period) return { status: outcome, period };
  if (outcome === 'unknown') {
    const further = others.filter((other) => !other.erased && isAsked(other, slot.missed_at));
    const all = [contacts, ...further.map((other) => other.contacts)];
    return { status: outcome, offline: longest(all.map((each) => offlineAt(slot.missed_at, each))) };
  }
  if (outcome) return { status: outcome, ...(period && { period }) };
  if (slot.scheduled_at > now) return { status: 'upcoming' };
  const offline = is_silent ? { offline: last_seen_at ? { since: last_seen_at } : {} } : {};
  if (phase === 'late') return { status: 'late', ...offline };
  return { status: is_silent ? 'unknown' : 'due', ...offline };
}

/** The time without contact around an instant. */
function offlineAt(instant: Date, contacts: readonly Date[]): Offline {
  const times = contacts.map((contact) => contact.getTime());
  const since = Math.max(...times.filter((time) => time <= instant.getTime()));
  const until = Math.min(...times.filter((time) => time > instant.getTime()));
  return {
    ...(Number.isFinite(since) && { since: new Date(since) }),
    ...(Number.isFinite(until) && { until: new Date(until) }),
  };
}

/** Of several bottles of a plan, that of the one that was without contact for the longest. */
function longest(all: readonly Offline[]): Offline {
  const lengthOf = ({ since, until }: Offline): number => +(until ?? Infinity) - +(since ?? -Infinity);
  return all.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
}

function nextDose(
  judged: readonly SlotJudgement[],
  { versions, periods, now }: TodayEvidence,
): Slot | undefined {
  const open = judged.find(({ slot, taken_at }) => slot.scheduled_at > now && !taken_at);
  if (open) return open.slot;
  const last = judged.at(-1)?.slot.scheduled_at;
  return nextSlotAfter(versions, periods, last && last > now ? last : now);
}

function earliestAfter(now: Date, moments: readonly (Date | undefined)[]): Date {
  const later = moments.flatMap((moment) => (moment && moment > now ? moment.getTime() : []));
  return new Date(Math.min(...later));
}
