import { SCHEDULE_LIMITS } from './schedule.js';
import type { Slot } from './slots.js';

/** Pills taken out of the bottle at one closing, at least 1. An opening without a removal is no dose. */
export interface Removal {
  id: string;
  time: Date;
  pills: number;
  /** When it was reported; known only for bottles with a silence. */
  received_at?: Date;
}

/** The part of a removal that counts for a slot. */
export interface MatchedRemoval {
  removal_id: string;
  time: Date;
  /** Pills of this removal that count for the slot. */
  pills: number;
}

/** A slot with its removals in order of time. */
export interface SlotMatch {
  slot: Slot;
  matched: MatchedRemoval[];
  pills_taken: number;
  /** The time of the removal that made the dose whole; absent while pills are missing. */
  completed_at?: Date;
}

/**
 * Why pills are extra: `beyond_dose`, in a slot's window when the dose is whole; `outside_windows`, when nothing is due;
 * `over_daily_limit`, more than an as-needed day allows. The others say why pills outside every window can be no dose.
 */
export type ExtraReason =
  | 'beyond_dose'
  | 'outside_windows'
  | 'over_daily_limit'
  | 'nearest_dose_whole'
  | 'several_doses'
  | 'schedule_paused'
  | 'schedule_ended';

/** Pills that count for no slot. */
export interface ExtraDose {
  removal_id: string;
  time: Date;
  pills: number;
  reason: ExtraReason;
  /** With `beyond_dose`: the slot that was already whole, the latest one whose window contains the removal. */
  scheduled_at?: Date;
}

export interface MatchResult {
  slots: SlotMatch[];
  extra: ExtraDose[];
}

/**
 * Matches removals to slots, in order and one to one (did-i-take-my-meds#68).
 *
 * Removals are processed by time, then id. Each counts for the earliest slot whose window `[early_from, missed_at]`
 * contains it and that is not yet whole, and for that slot only: the rest is extra, so that a late dose never uses up
 * the next one. Where windows overlap, the older slot comes first: if 08:00 was not taken, a removal at 11:50 is its
 * late dose and the slot at 12:00 is still due. The other order would report 08:00 as missed and hide that only one of
 * two doses was taken. Only a removal of exactly one whole dose passes over a slot that is partly taken and lacks fewer
 * pills, to the next one that is not begun: nobody removes a whole dose to complete a part. Pills that the slot lacks are
 * the rest of it, even if the next slot has as many because the dose was changed.
 *
 * The result depends on the sets alone: order and repetition (the same removal id, the same slot instant) change
 * nothing. Matched and extra pills add up to the pills removed.
 */
export function matchRemovals(slots: readonly Slot[], removals: readonly Removal[]): MatchResult {
  const matches = uniqueSlots(slots).map((slot): SlotMatch => ({ slot, matched: [], pills_taken: 0 }));
  const extra: ExtraDose[] = [];
  let first = 0;
  for (const removal of uniqueRemovals(removals)) {
    while (isOver(matches[first], removal.time)) first += 1;
    const containing = windowsContaining(matches, first, removal.time);
    const open = chooseSlot(containing, removal);
    const used = open ? assign(open, removal) : 0;
    if (used < removal.pills) extra.push(extraOf(removal, removal.pills - used, open ?? containing.at(-1)));
  }
  return { slots: matches, extra };
}

/** Each removal id once, by time, then id. Of two that differ under one id the earlier, then smaller, is kept. */
export function uniqueRemovals(removals: readonly Removal[]): Removal[] {
  const order = (a: Removal, b: Removal) =>
    a.time.getTime() - b.time.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.pills - b.pills);
  const seen = new Set<string>();
  const counted = removals.filter((removal) => removal.pills > 0).sort(order);
  return counted.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function uniqueSlots(slots: readonly Slot[]): Slot[] {
  const byInstant = new Map(slots.map((slot) => [slot.scheduled_at.getTime(), slot]));
  return [...byInstant.values()].sort((a, b) => a.scheduled_at.getTime() - b.scheduled_at.getTime());
}

function isOver(match: SlotMatch | undefined, time: Date): boolean {
  return match !== undefined && match.slot.missed_at < time;
}

function windowsContaining(matches: readonly SlotMatch[], first: number, time: Date): SlotMatch[] {
  const containing: SlotMatch[] = [];
  const latestSlot = time.getTime() + SCHEDULE_LIMITS.early_window_ms;
  for (let index = first; index < matches.length; index += 1) {
    const match = matches[index]!;
    if (match.slot.scheduled_at.getTime() > latestSlot) break;
    if (match.slot.early_from <= time && time <= match.slot.missed_at) containing.push(match);
  }
  return containing;
}

/** The slot that a removal counts for, of those whose window contains it in order; undefined if all are whole. */
function chooseSlot(containing: readonly SlotMatch[], { pills }: Removal): SlotMatch | undefined {
  const first = containing.find((match) => match.pills_taken < match.slot.pills);
  if (!first || first.pills_taken === 0 || pills <= first.slot.pills - first.pills_taken) return first;
  const next = containing.find((match) => match.pills_taken === 0);
  return next?.slot.pills === pills ? next : first;
}

function assign(match: SlotMatch, { id, time, pills }: Removal): number {
  const used = Math.min(pills, match.slot.pills - match.pills_taken);
  match.matched.push({ removal_id: id, time, pills: used });
  match.pills_taken += used;
  if (match.pills_taken === match.slot.pills) match.completed_at = time;
  return used;
}

function extraOf({ id, time }: Removal, pills: number, within: SlotMatch | undefined): ExtraDose {
  const extra: ExtraDose = {
    removal_id: id,
    time,
    pills,
    reason: within ? 'beyond_dose' : 'outside_windows',
  };
  if (within) extra.scheduled_at = within.slot.scheduled_at;
  return extra;
}
