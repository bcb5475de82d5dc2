import {
  asNeededAt,
  isAsNeeded,
  slotsBetween,
  windowsOf,
  type UnmonitoredPeriod,
  periodAt,
  type ScheduleVersion,
  type Slot,
} from '../../../doses/index.js';
import { DAY_MS } from '../../../time/durations.js';

const SEARCH_DAYS = 400;

/** What was taken of a slot; a judged slot is one. */
export interface SlotProgress {
  slot: Slot;
  pills_taken: number;
}

interface Plan {
  versions: readonly ScheduleVersion[];
  periods: readonly UnmonitoredPeriod[];
  now: Date;
  /** The slots that pills can count for now. Of a slot that is not listed nothing was taken. */
  progress: readonly SlotProgress[];
}

/** Pills that a dose needs. */
export interface Need {
  /** When the dose is due; in the past if it is due and not taken. */
  at: Date;
  pills: number;
}

export interface Supply {
  /** Days of 24 hours until the first dose that cannot be taken whole, at least 0; 400 when none is found in 400 days. */
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
  /** When it becomes low, if no dose that is not taken yet is due by then; absent if it is low, or not before `until`. */
  low_at?: Date;
}

/**
 * The pills that doses due up to and at `to` still need, in order. A dose needs the pills that were not taken of it: none
 * if it was taken early, and those of a dose that is due until it is missed. Where an as-needed schedule holds, its daily
 * maximum is taken for the need.
 */
export function pillsNeeded(plan: Plan, to: Date): Need[] {
  const { versions, periods, now, progress } = plan;
  const longest = Math.max(0, ...versions.map(({ schedule }) => windowsOf(schedule).missed_ms));
  const taken = new Map(progress.map(({ slot, pills_taken }) => [slot.scheduled_at.getTime(), pills_taken]));
  const due = slotsBetween(versions, periods, new Date(now.getTime() - longest), new Date(to.getTime() + 1))
    .filter(({ missed_at }) => missed_at > now)
    .map(({ scheduled_at: at, pills }) => ({ at, pills: pills - (taken.get(at.getTime()) ?? 0) }))
    .filter(({ pills }) => pills > 0);
  return [...due, ...asNeededNeeds(plan, to)].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * How long the pills last.
 *
 * @param input.pills pills in the bottle now
 */
export function daysOfSupply({ pills, ...plan }: Plan & { pills: number }): Supply {
  const now = plan.now.getTime();
  const lacking = firstLacking(pillsNeeded(plan, new Date(now + SEARCH_DAYS * DAY_MS)), pills);
  if (!lacking) return { days: SEARCH_DAYS };
  return { days: Math.max(0, lacking.at.getTime() - now) / DAY_MS, runs_out_at: lacking.at };
}

/**
 * Whether a bottle is low (issue 5): fewer pills than the next `days` days of 24 hours need, their end included. Once low
 * it stays so until a refill: more pills than the fewest seen, and enough of them. Taking pills, or days off that come
 * into view, therefore cannot end it and start it again. After an edit of the schedule or a pause, begin with no state.
 *
 * @param input.until how far ahead to search for the time at which it becomes low; now, if it is absent
 */
export function judgeLowSupply({
  state,
  pills,
  days,
  until,
  ...plan
}: Plan & { state?: LowSupplyState; pills: number; days: number; until?: Date }): LowSupply {
  const span = days * DAY_MS;
  const end = new Date(plan.now.getTime() + span);
  const needs = pillsNeeded(plan, new Date(Math.max(end.getTime(), (until?.getTime() ?? 0) + span)));
  const needed = needs.reduce((sum, need) => (need.at <= end ? sum + need.pills : sum), 0);
  const lowest = Math.min(pills, state?.lowest_pills ?? pills);
  const refilled = pills > lowest && pills >= needed;
  const low = state?.low ? !refilled : pills < needed;
  if (low) return { state: { low, lowest_pills: lowest }, pills, needed };
  const low_at = lowAt(needs, pills, span);
  return { state: { low }, pills, needed, ...(low_at && { low_at }) };
}

/** When the first need that cannot be met comes into view; undefined if a dose is due by then. */
function lowAt(needs: readonly Need[], pills: number, spanMs: number): Date | undefined {
  const lacking = firstLacking(needs, pills);
  if (!lacking) return undefined;
  const at = new Date(lacking.at.getTime() - spanMs);
  return needs[0]!.at > at ? at : undefined;
}

/** The first need that cannot be met whole. */
function firstLacking(needs: readonly Need[], pills: number): Need | undefined {
  let left = pills;
  return needs.find((need) => {
    left -= need.pills;
    return left < 0;
  });
}

/** The daily maximum of as-needed versions, at the end of each 24 hours from now. */
function asNeededNeeds({ versions, periods, now }: Plan, to: Date): Need[] {
  const needs: Need[] = [];
  if (!versions.some(isAsNeeded)) return needs;
  for (let day = now.getTime(); day + DAY_MS <= to.getTime(); day += DAY_MS) {
    const at = new Date(day);
    const schedule = asNeededAt(versions, at)?.schedule;
    if (!schedule || periodAt(periods, at)) continue;
    needs.push({ at: new Date(day + DAY_MS - 1), pills: schedule.max_per_day * schedule.pills_per_dose });
  }
  return needs;
}
