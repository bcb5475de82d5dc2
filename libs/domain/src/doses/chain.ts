import { DAY_MS } from './duration.js';
import { windowsOf, type Pause, type ScheduleVersion } from './schedule.js';
import { slotsBetween, type Slot } from './slots.js';

/**
 * Where to begin when slots around `at` are to be judged. Neighbouring windows may overlap, and then a removal
 * given to one slot decides what is left for the next: judging must begin where no earlier window reaches in.
 *
 * @param maxDays how far back to follow overlapping windows, from `at`; the beginning is then a plain cut
 * @returns an instant such that slots at or after it share no removal with slots before it: pass it as `from` to
 * `slotsBetween`, and the removals from the first slot's `early_from` on
 */
export function chainStart(
  versions: readonly ScheduleVersion[],
  pauses: readonly Pause[],
  at: Date,
  maxDays = 35,
): Date {
  const windows = versions.map(({ schedule }) => windowsOf(schedule));
  const reach = Math.max(0, ...windows.map(({ missed_ms }) => missed_ms));
  const ahead = new Date(at.getTime() + Math.max(0, ...windows.map(({ early_ms }) => early_ms)) + 1);
  const oldest = at.getTime() - Math.max(maxDays * DAY_MS, reach);
  for (let back = DAY_MS; ; back *= 4) {
    const from = Math.max(oldest, at.getTime() - back);
    const slots = slotsBetween(versions, pauses, new Date(from - reach), ahead);
    const start = lastBeginning(slots, at.getTime(), from);
    if (start !== undefined || from === oldest) return new Date(start ?? oldest);
  }
}

/** The last slot from `from` on that opens by `at` and into whose window, and later ones', no earlier reaches. */
function lastBeginning(slots: readonly Slot[], at: number, from: number): number | undefined {
  let opens = Infinity;
  for (let index = slots.length - 1; index >= 0; index -= 1) {
    const slot = slots[index]!;
    // What opens before `from` may be reached into by slots that were not looked up.
    opens = Math.min(opens, slot.early_from.getTime());
    if (opens < from) return undefined;
    const reachedInto = slots.slice(0, index).some((earlier) => earlier.missed_at.getTime() >= opens);
    if (opens <= at && !reachedInto) return slot.scheduled_at.getTime();
  }
  return undefined;
}
