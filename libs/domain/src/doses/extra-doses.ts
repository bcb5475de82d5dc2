import { asNeededAt, overLimits, versionAt } from './as-needed.js';
import {
  matchRemovals,
  type ExtraDose,
  type MatchResult,
  type Removal,
  type SlotMatch,
  type UnmatchedPills,
} from './match.js';
import { periodsKnownAt, type PeriodReason, removalIn, type UnmonitoredPeriod } from './periods.js';
import { withoutEnd } from './course.js';
import { SCHEDULE_LIMITS, type ScheduleVersion } from './schedule.js';
import { DAY_MS, HOUR_MS } from '../time/durations.js';
import { chainStart, nextSlotAfter, slotsBetween, type Slot } from './slots.js';

/** What was prescribed. */
export interface Prescribed {
  versions: readonly ScheduleVersion[];
  periods: readonly UnmonitoredPeriod[];
}

/** Doses at least this far apart are those of a week or more: one too many is dangerous (methotrexate). A week with a clock change is an hour shorter. */
const RARE_MS = 7 * DAY_MS - HOUR_MS;

/** From when on removals decide which of those at or after a time are extra: those of the dose before, and of 24 h for as-needed schedules. */
export function extraDosesDependFrom({ versions, periods }: Prescribed, at: Date): Date {
  const opens = chainStart(versions, periods, at).getTime() - SCHEDULE_LIMITS.early_window_ms;
  return new Date(Math.min(at.getTime() - DAY_MS, opens));
}

/**
 * Every pill beyond the plan, in order of time.
 *
 * @param removals from {@link extraDosesDependFrom} on
 */
export function allExtraDoses({ versions, periods }: Prescribed, removals: readonly Removal[]): ExtraDose[] {
  const times = removals.map(({ time }) => time.getTime());
  if (times.length === 0) return [];
  const from = chainStart(versions, periods, new Date(Math.min(...times)));
  const to = new Date(Math.max(...times) + SCHEDULE_LIMITS.early_window_ms + 1);
  const matched = matchRemovals(slotsBetween(versions, periods, from, to), removals);
  return [...extraDoses(matched, { versions, periods }), ...overLimits({ versions, periods, removals })].sort(
    (one, other) => one.time.getTime() - other.time.getTime(),
  );
}

/**
 * Of the pills that match no slot, those beyond the plan, each with its reason; without those over the limits of an
 * as-needed schedule ({@link overLimits}).
 *
 * Outside every window, pills up to what the last slot still lacks are that dose, very late; its outcome stays. All others
 * are extra. Each removal is judged by the versions and periods that had begun at its time: an edit or a period that takes a
 * dose away makes no extra of what was removed for it before. Before the first version nothing is extra, nor is what a
 * period without monitoring explains, whenever it was entered: a pillbox that is filled, a device that is wrong.
 *
 * @param matched slots and removals from a `chainStart` on
 */
export function extraDoses(matched: MatchedPills, plan: Prescribed): ExtraDose[] {
  return pillsBeyondSlots(matched, plan).extra;
}

/** Pills removed after the end of a dose that lacked them: they are it, very late, and its outcome stays (DOSE-30). */
export interface VeryLatePills extends Pick<UnmatchedPills, 'removal_id' | 'time' | 'pills'> {
  /** When the dose was due. */
  scheduled_at: Date;
}

/** What the pills are that match no slot, in order of time: as {@link extraDoses} has it, or a dose of before. */
export function pillsBeyondSlots(
  { slots, extra }: MatchedPills,
  plan: Prescribed,
): { extra: ExtraDose[]; very_late: VeryLatePills[] } {
  const sorted = extra.toSorted((one, other) => one.time.getTime() - other.time.getTime());
  const since = new Map<number | undefined, SinceSlot>();
  const beyond: ExtraDose[] = [];
  const very_late: VeryLatePills[] = [];
  for (const removed of sorted) {
    if (removalIn(plan.periods, removed.time)?.isExtra === false) continue;
    const then = prescribedAt(plan, removed.time);
    const last = slots.findLast(({ slot }) => slot.scheduled_at <= removed.time);
    const key = last?.slot.scheduled_at.getTime();
    const before = since.get(key) ?? { lacks: last ? last.slot.pills - last.pills_taken : 0, extra: 0 };
    if (removed.reason === 'beyond_dose') {
      if (asNeededAt(then.versions, removed.time)) continue;
      since.set(key, { ...before, extra: before.extra + removed.pills });
      beyond.push({ ...removed, reason: removed.reason });
      continue;
    }
    const found = outsideWindows(removed, last?.slot, before, then, plan);
    if (!found) continue;
    const pills = removed.pills - (found.extra?.pills ?? 0);
    since.set(key, { lacks: before.lacks - pills, extra: before.extra + removed.pills - pills });
    const { removal_id, time } = removed;
    if (last && pills > 0) very_late.push({ removal_id, time, pills, scheduled_at: last.slot.scheduled_at });
    if (found.extra) beyond.push(found.extra);
  }
  return { extra: beyond, very_late };
}

/** Slots with the pills that count for them, and the pills that count for none. */
type MatchedPills = Pick<MatchResult, 'extra'> & { slots: readonly Matched[] };

/** A slot with the pills that count for it. */
type Matched = Pick<SlotMatch, 'slot' | 'pills_taken'>;

/** Pills removed since a slot that are none of it. */
interface SinceSlot {
  /** What the slot still lacks. */
  lacks: number;
  extra: number;
}

function prescribedAt({ versions, periods }: Prescribed, time: Date): Prescribed {
  return {
    versions: versions.filter(({ effective_from }) => effective_from <= time),
    periods: periodsKnownAt(periods, time),
  };
}

/**
 * What of pills removed outside every window is extra; undefined if nobody can say.
 *
 * @param plan what had begun at the time
 * @param known as it is known now, with the versions that begin later, such as the next step of a taper: the next dose may
 *   be of one
 */
function outsideWindows(
  removed: UnmatchedPills,
  last: Slot | undefined,
  { lacks, extra }: SinceSlot,
  plan: Prescribed,
  known: Prescribed,
): { extra?: ExtraDose } | undefined {
  const { time, pills } = removed;
  const version = versionAt(plan.versions, time);
  if (!version) return undefined;
  const [before, now] = [plan.periods, known.periods].map((periods) => removalIn(periods, time));
  if (before?.isExtra === false) return undefined;
  if (before && now) return { extra: extraIn(now.reason, removed) };
  if (asNeededAt(plan.versions, time)) return undefined;
  const droppedLater = slotOpenAt(plan, time);
  if (droppedLater)
    return pills > droppedLater.pills ? { extra: { ...removed, reason: 'several_doses' } } : undefined;
  const late = Math.min(pills, lacks);
  if (late === pills) return {};
  const rest = { ...removed, pills: pills - late };
  const [begun, nextKnown] = [plan, known].map(({ versions }) => nextSlotAfter(versions, plan.periods, time));
  const next = begun ?? nextKnown;
  if (!next) return { extra: { ...rest, reason: 'schedule_ended' } };
  return {
    extra: {
      ...rest,
      reason: extra > 0 || pills > next.pills ? 'several_doses' : 'too_early',
      ...(last && { last_dose_at: last.scheduled_at }),
      next_dose_at: (nextKnown ?? next).scheduled_at,
      ...(isRare(versionAt(begun ? plan.versions : known.versions, next.scheduled_at)!, next) && {
        is_rare: true,
      }),
    },
  };
}

/**
 * Whether the doses of a schedule are a week or more apart, also if its course ends before the next; those within 24 hours,
 * such as the halves of a weekly dose, are one.
 *
 * @param slot one of its slots
 */
function isRare(version: ScheduleVersion, { scheduled_at: at }: Slot): boolean {
  const endless = [withoutEnd(version)];
  const [first] = slotsBetween(endless, [], new Date(at.getTime() - DAY_MS + 1), new Date(at.getTime() + 1));
  const { scheduled_at: from } = first!;
  const next = nextSlotAfter(endless, [], new Date(from.getTime() + DAY_MS));
  return next !== undefined && next.scheduled_at.getTime() - from.getTime() >= RARE_MS;
}

/** Pills that were removed in a period without monitoring, in which none is due from this bottle. */
function extraIn(not_monitored: PeriodReason, removed: UnmatchedPills): ExtraDose {
  if (not_monitored === 'pause') return { ...removed, reason: 'schedule_paused' };
  return { ...removed, reason: 'not_monitored', not_monitored };
}

/** A slot whose window contains this time. */
function slotOpenAt({ versions, periods }: Prescribed, time: Date): Slot | undefined {
  const from = new Date(time.getTime() - SCHEDULE_LIMITS.missed_after_ms);
  const to = new Date(time.getTime() + SCHEDULE_LIMITS.early_window_ms + 1);
  return slotsBetween(versions, periods, from, to).find(
    ({ early_from, missed_at }) => early_from <= time && time <= missed_at,
  );
}
