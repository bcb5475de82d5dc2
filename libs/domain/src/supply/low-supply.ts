import { slotsBetween, versionAt, type Pause, type ScheduleVersion, type Slot } from '../doses/index.js';

const DAY_MS = 86_400_000;
const SEARCH_DAYS = 400;

interface Plan {
  versions: readonly ScheduleVersion[];
  pauses: readonly Pause[];
  now: Date;
  /** `scheduled_at` of slots from `now` on whose dose was already taken (early); they need no more pills. */
  taken?: readonly Date[];
}

export interface Supply {
  /** Days of 24 hours until the first dose that cannot be taken whole; 400 when none is found in 400 days. */
  days: number;
  /** That dose, or for an as-needed schedule the moment at which its daily maximum would use the last pill. */
  runs_out_at?: Date;
}

/** Whether a bottle is low, and the fewest pills seen since it became so. */
export interface LowSupplyState {
  low: boolean;
  lowest_pills?: number;
}

export interface LowSupply {
  state: LowSupplyState;
  pills: number;
  /** Pills that the next days need. */
  needed: number;
}

/**
 * How long the pills last. Where an as-needed schedule holds, its daily maximum is taken for the need.
 *
 * @param input.pills pills in the bottle now
 */
export function daysOfSupply({ pills, ...plan }: Plan & { pills: number }): Supply {
  const end = new Date(plan.now.getTime() + SEARCH_DAYS * DAY_MS);
  let left = pills;
  for (const need of needsBetween(plan, end)) {
    if (left < need.pills) {
      return { days: (need.at.getTime() - plan.now.getTime()) / DAY_MS, runs_out_at: need.at };
    }
    left -= need.pills;
  }
  return { days: SEARCH_DAYS };
}

/**
 * Whether a bottle is low (issue 5): fewer pills than the next `days` days of 24 hours need. Once low it stays so
 * until a refill: more pills than the fewest seen, and enough of them. Taking pills, or days off that come into
 * view, therefore cannot end it and start it again. After an edit of the schedule or a pause, begin with no state.
 */
export function judgeLowSupply({
  state,
  pills,
  days,
  ...plan
}: Plan & { state?: LowSupplyState; pills: number; days: number }): LowSupply {
  const end = new Date(plan.now.getTime() + days * DAY_MS);
  const needed = needsBetween(plan, end).reduce((sum, need) => sum + need.pills, 0);
  const lowest = Math.min(pills, state?.lowest_pills ?? pills);
  const refilled = pills > lowest && pills >= needed;
  const low = state?.low ? !refilled : pills < needed;
  return { state: low ? { low, lowest_pills: lowest } : { low }, pills, needed };
}

interface Need {
  at: Date;
  pills: number;
}

function needsBetween(plan: Plan, to: Date): Need[] {
  const { versions, pauses, now, taken = [] } = plan;
  const done = new Set(taken.map((at) => at.getTime()));
  const due = slotsBetween(versions, pauses, now, to).filter(
    (slot) => !done.has(slot.scheduled_at.getTime()),
  );
  return [...due.map(asNeed), ...asNeededNeeds(plan, to)].sort((a, b) => a.at.getTime() - b.at.getTime());
}

function asNeed({ scheduled_at, pills }: Slot): Need {
  return { at: scheduled_at, pills };
}

/** The daily maximum of as-needed versions, at the end of each 24 hours from now. */
function asNeededNeeds({ versions, pauses, now }: Plan, to: Date): Need[] {
  const needs: Need[] = [];
  for (let day = now.getTime(); day + DAY_MS <= to.getTime(); day += DAY_MS) {
    const at = new Date(day);
    const schedule = versionAt(versions, at)?.schedule;
    if (schedule?.kind !== 'as_needed' || pauses.some((pause) => pause.from <= at && at < pause.to)) continue;
    needs.push({ at: new Date(day + DAY_MS - 1), pills: schedule.max_per_day * schedule.pills_per_dose });
  }
  return needs;
}
