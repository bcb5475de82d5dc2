import { isAsNeeded, versionAt } from './as-needed.js';
import type { SlotJudgement } from './judge.js';
import type { ExtraDose, ExtraReason } from './match.js';
import { SCHEDULE_LIMITS, type Pause, type ScheduleVersion } from './schedule.js';
import { nextSlotAfter, slotsBetween, type Slot } from './slots.js';

/** What was prescribed. */
interface Plan {
  versions: readonly ScheduleVersion[];
  pauses: readonly Pause[];
}

/**
 * Of the pills removed outside every window, those that can be no dose, each with its reason: the schedule is paused, or
 * has no dose any more; more pills than one dose, or the nearest dose is already whole. Half way between two doses the
 * earlier one is the nearest.
 *
 * Each removal is judged by the versions and pauses that had begun at its time: an edit or a pause that takes a dose away
 * makes no extra of what was removed for it before. Before the first version nothing is extra.
 *
 * @param extra pills that match no slot; only those with the reason `outside_windows` are looked at
 * @param slots the slots as judged, from the one before each removal on
 */
export function extraOutsideWindows(
  extra: readonly ExtraDose[],
  slots: readonly SlotJudgement[],
  plan: Plan,
): ExtraDose[] {
  return extra
    .filter(({ reason }) => reason === 'outside_windows')
    .flatMap((removed) => {
      const reason = reasonOf(removed, slots, planAt(plan, removed.time));
      return reason === undefined ? [] : [{ ...removed, reason }];
    });
}

function planAt({ versions, pauses }: Plan, time: Date): Plan {
  return {
    versions: versions.filter(({ effective_from }) => effective_from <= time),
    pauses: pauses.filter(({ from }) => from <= time),
  };
}

function reasonOf(
  { time, pills }: ExtraDose,
  slots: readonly SlotJudgement[],
  plan: Plan,
): ExtraReason | undefined {
  const version = versionAt(plan.versions, time);
  if (!version) return undefined;
  if (plan.pauses.some(({ to }) => time < to)) return 'schedule_paused';
  if (isAsNeeded(version)) return undefined;
  const droppedLater = slotOpenAt(plan, time);
  if (droppedLater) return pills > droppedLater.pills ? 'several_doses' : undefined;
  const next = nextSlotAfter(plan.versions, plan.pauses, time);
  if (!next) return 'schedule_ended';
  const last = slots.findLast(({ slot }) => slot.scheduled_at <= time);
  const nearest = last && isNearer(last.slot, next, time) ? last.slot : next;
  if (pills > nearest.pills) return 'several_doses';
  return nearest === last?.slot && last.taken_at ? 'nearest_dose_whole' : undefined;
}

/** A slot whose window contains this time. */
function slotOpenAt({ versions, pauses }: Plan, time: Date): Slot | undefined {
  const from = new Date(time.getTime() - SCHEDULE_LIMITS.missed_after_ms);
  const to = new Date(time.getTime() + SCHEDULE_LIMITS.early_window_ms + 1);
  return slotsBetween(versions, pauses, from, to).find(
    ({ early_from, missed_at }) => early_from <= time && time <= missed_at,
  );
}

function isNearer(last: Slot, next: Slot, time: Date): boolean {
  return time.getTime() - last.scheduled_at.getTime() <= next.scheduled_at.getTime() - time.getTime();
}
