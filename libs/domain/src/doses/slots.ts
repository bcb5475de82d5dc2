import { endOfCourse } from './course.js';
import { dosesDue } from './due.js';
import { endsAt, type UnmonitoredPeriod, periodAt } from './periods.js';
import { windowsOf, type ScheduleVersion, type Windows } from './schedule.js';
import { DAY_MS } from '../time/durations.js';

/** One dose that is due, identified by its instant: a dose after midnight is not the next day's (MedTimer#181). */
export interface Slot {
  scheduled_at: Date;
  /** Removals count from here, included. */
  early_from: Date;
  /** On time up to here, included. */
  late_at: Date;
  /** Late up to here, included; later removals do not count. */
  missed_at: Date;
  /** Pills of a whole dose: of all doses that fall on this instant. */
  pills: number;
  /** The bottle left use before the end of its window, which ends then. */
  is_cut?: true;
}

const SEARCH_DAYS = 400;

/**
 * The slots with `from <= scheduled_at < to`, in order, each instant once: two times that a clock change moves onto one
 * instant are one slot of both amounts. The cost grows with the local days of the range that are not paused.
 */
export function slotsBetween(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  from: Date,
  to: Date,
): Slot[] {
  const slots = new Map<number, Slot>();
  for (const span of activeSpans(versions, periods, from.getTime(), to.getTime())) {
    const due = dosesDue(span.version, span);
    if (due.length === 0) continue;
    const windows = windowsOf(span.version.schedule);
    for (const { at, pills } of due) {
      const slot = slotAt(at, windows, (slots.get(at)?.pills ?? 0) + pills);
      slots.set(at, withinUse(slot, span));
    }
  }
  return [...slots.values()].sort((a, b) => a.scheduled_at.getTime() - b.scheduled_at.getTime());
}

/** The slot of an instant, if a dose is due then. */
export function slotDueAt(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  at: Date,
): Slot | undefined {
  return slotsBetween(versions, periods, at, new Date(at.getTime() + 1))[0];
}

/**
 * The slots in periods without monitoring, with `from <= scheduled_at < to`, in order: what was due while the bottle says
 * nothing of it.
 */
export function slotsNotMonitored(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  from: Date,
  to: Date,
): Slot[] {
  const isTouched = periods.some((period) => period.from < to && from.getTime() < endsAt(period));
  if (!isTouched) return [];
  return slotsBetween(versions, [], from, to).filter(({ scheduled_at }) => periodAt(periods, scheduled_at));
}

/** The first slot strictly after `after`, looking ahead 400 days of 24 hours; undefined when there is none. */
export function nextSlotAfter(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  after: Date,
): Slot | undefined {
  const start = after.getTime() + 1;
  const end = start + SEARCH_DAYS * DAY_MS;
  for (let from = start, days = 2; from < end; days *= 2) {
    const to = Math.min(from + days * DAY_MS, end);
    const [first] = slotsBetween(versions, periods, new Date(from), new Date(to));
    if (first) return first;
    from = to;
  }
  return undefined;
}

function slotAt(at: number, { early_ms, late_ms, missed_ms }: Windows, pills: number): Slot {
  return {
    scheduled_at: new Date(at),
    early_from: new Date(at - early_ms),
    late_at: new Date(at + late_ms),
    missed_at: new Date(at + missed_ms),
    pills,
  };
}

/** What is removed while a bottle is not in use is of no dose. */
function withinUse(slot: Slot, { version: { ends_at: end }, usedFrom }: Span): Slot {
  const early_from = usedFrom && usedFrom > slot.early_from ? usedFrom : slot.early_from;
  if (!end || slot.missed_at <= end) return { ...slot, early_from };
  return {
    ...slot,
    early_from,
    late_at: slot.late_at < end ? slot.late_at : end,
    missed_at: end,
    is_cut: true,
  };
}

/**
 * Where judging must start to judge the slots around `at`. Windows of neighbouring slots may overlap, and a removal that
 * counts for one slot is not available to the next, so judging starts at a slot whose window overlaps no earlier one.
 *
 * @param maxDays how many days before `at` to search for such a slot; without one, judging starts there
 * @returns an instant such that slots at or after it share no removal with slots before it: pass it as `from` to
 * `slotsBetween`, with the removals from the first slot's `early_from` on
 */
export function chainStart(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  at: Date,
  maxDays = 35,
): Date {
  const windows = versions.map(({ schedule }) => windowsOf(schedule));
  const longestMissed = Math.max(0, ...windows.map(({ missed_ms }) => missed_ms));
  const ahead = new Date(at.getTime() + Math.max(0, ...windows.map(({ early_ms }) => early_ms)) + 1);
  const oldest = at.getTime() - Math.max(maxDays * DAY_MS, longestMissed);
  for (let back = DAY_MS; ; back *= 4) {
    const from = Math.max(oldest, at.getTime() - back);
    const slots = slotsBetween(versions, periods, new Date(from - longestMissed), ahead);
    const start = lastStart(slots, at.getTime(), from);
    if (start !== undefined || from === oldest) return new Date(start ?? oldest);
  }
}

/** The last slot from `from` on that opens by `at` and after which no window overlaps an earlier slot's. */
function lastStart(slots: readonly Slot[], at: number, from: number): number | undefined {
  const followsGap = gapsBefore(slots);
  let opens = Infinity;
  for (let index = slots.length - 1; index >= 0; index -= 1) {
    const slot = slots[index]!;
    // a window that opens before `from` may overlap slots that were not loaded
    opens = Math.min(opens, slot.early_from.getTime());
    if (opens < from) return undefined;
    if (opens <= at && followsGap[index]) return slot.scheduled_at.getTime();
  }
  return undefined;
}

/**
 * Of each slot whether all windows before it end before it, and any after it, opens: then no removal can be of a slot
 * before it and of one from it on. True of the first.
 */
export function gapsBefore(slots: readonly Slot[]): boolean[] {
  const opens = slots.map(({ early_from }) => early_from.getTime());
  for (let index = opens.length - 2; index >= 0; index -= 1)
    opens[index] = Math.min(opens[index]!, opens[index + 1]!);
  let closes = -Infinity;
  return slots.map(({ missed_at }, index) => {
    const isGap = closes < opens[index]!;
    closes = Math.max(closes, missed_at.getTime());
    return isGap;
  });
}

/** A time `[from, to)` in epoch milliseconds in which one version is effective and nothing is paused. */
interface Span {
  from: number;
  to: number;
  version: ScheduleVersion;
  /** When the bottle came into use again with this version; absent if it was in use before. */
  usedFrom?: Date;
}

/** The spans of `[from, to)` outside periods without monitoring, with the effective version of each, in order. */
function activeSpans(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  from: number,
  to: number,
): Span[] {
  const sorted = [...versions].sort((a, b) => a.effective_from.getTime() - b.effective_from.getTime());
  return sorted.flatMap((version, index) => {
    const next = sorted[index + 1]?.effective_from.getTime() ?? Infinity;
    const ends = Math.min(to, next, version.ends_at?.getTime() ?? Infinity);
    const begins = Math.max(from, version.effective_from.getTime());
    if (begins >= ends) return [];
    const usedFrom = sorted[index - 1]?.ends_at && version.effective_from;
    const span = {
      from: begins,
      to: Math.min(ends, endOfCourse(version)),
      version,
      ...(usedFrom && { usedFrom }),
    };
    return withoutPeriods(span, periods);
  });
}

function withoutPeriods(span: Span, periods: readonly UnmonitoredPeriod[]): Span[] {
  const sorted = [...periods].sort((a, b) => a.from.getTime() - b.from.getTime());
  const left: Span[] = [];
  let from = span.from;
  for (const period of sorted) {
    if (endsAt(period) <= period.from.getTime()) continue;
    left.push({ ...span, from, to: Math.min(span.to, period.from.getTime()) });
    from = Math.max(from, endsAt(period));
  }
  left.push({ ...span, from });
  return left.filter((part) => part.from < part.to);
}
