import type { PeriodReason } from './periods.js';
import { SCHEDULE_LIMITS } from './schedule.js';
import type { Slot } from './slots.js';

/** Pills taken out of the bottle at one closing, at least 1. An opening without a removal is no dose. */
export interface Removal {
  id: string;
  time: Date;
  pills: number;
  /** Of which bottle of the plan: 0 of the one that has it, then the others in their order. Default: 0. */
  bottle?: number;
  /** When it was reported; known only for bottles with a silence. */
  received_at?: Date;
  /** When the bottle was opened for it; known only for bottles with a removal outside every window. */
  opened_at?: Date;
}

/** The part of a removal that counts for a slot. */
export interface MatchedRemoval {
  removal_id: string;
  time: Date;
  /** Pills of this removal that count for the slot. */
  pills: number;
  /** When the bottle was closed, if that is not `time` because it was outside every window. */
  closed_at?: Date;
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
 * Why pills are extra: `beyond_dose`, in a slot's window when the dose is whole. Outside every window, beyond what the last
 * dose lacks: `too_early`, the first since the last slot; `several_doses`, every further one, and more than a dose at once;
 * `schedule_paused`; `not_monitored`, in a period in which no dose is due from this bottle; `schedule_ended`, no dose follows. As needed: `over_daily_limit`, more than 24 hours allow;
 * `under_min_interval`, too soon after the last dose. After a statement that no pill is taken from the bottle:
 * `taken_elsewhere`, `skipped_on_advice`.
 */
export type ExtraReason =
  | 'beyond_dose'
  | 'too_early'
  | 'several_doses'
  | 'schedule_paused'
  | 'not_monitored'
  | 'schedule_ended'
  | 'over_daily_limit'
  | 'under_min_interval'
  | 'taken_elsewhere'
  | 'skipped_on_advice';

/** Pills that count for no slot. */
export interface UnmatchedPills {
  removal_id: string;
  time: Date;
  pills: number;
  reason: 'beyond_dose' | 'outside_windows';
  /** With `beyond_dose`: the slot that was already whole, the latest one whose window contains the removal. */
  scheduled_at?: Date;
}

/** Pills beyond the plan. */
export interface ExtraDose extends Omit<UnmatchedPills, 'reason'> {
  reason: ExtraReason;
  /** With `too_early` and `several_doses`: the slot before, if there is one, and the next. */
  last_dose_at?: Date;
  next_dose_at?: Date;
  /** The doses are a week or more apart. */
  is_rare?: true;
  /** With `not_monitored`: why the bottle is not monitored. */
  not_monitored?: PeriodReason;
}

export interface MatchResult {
  slots: SlotMatch[];
  extra: UnmatchedPills[];
}

/**
 * Where a slot ends and the next begins, as a share of the time between them. Chosen by measuring made-up people whose
 * intentions are known (`npm run matching`, docs/adherence.md).
 */
const SHARE_OF_GAP = 0.75;

/**
 * Matches removals to slots, in order and one to one (did-i-take-my-meds#68).
 *
 * Removals are processed by time, then id. Each counts for one slot only, of those whose window `[early_from, missed_at]`
 * contains it and that are not yet whole: the first that ends no earlier than the removal, or else the last. Where
 * windows overlap, a slot ends at {@link SHARE_OF_GAP} of the time to the next one: who missed 08:00 and takes a pill at
 * 11:58 means the dose of 12:00, so one missed dose shifts no other (MedTimer#1136). What exceeds the slot is extra, so
 * that a late dose never uses up the next one.
 *
 * Pills leave the bottle between its opening and its closing. What was closed outside every window counts, at the time of
 * its opening or the beginning of the window, for a slot whose window that time touches.
 *
 * Only a removal of exactly one whole dose passes over a slot that is partly taken and lacks fewer pills, to the next one
 * that is not begun: nobody removes a whole dose to complete a part. Pills that the slot lacks are the rest of it, even
 * if the next slot has as many because the dose was changed.
 *
 * The result depends on the sets alone: order and repetition (the same removal id, the same slot instant) change
 * nothing. Matched and extra pills add up to the pills removed.
 */
export function matchRemovals(slots: readonly Slot[], removals: readonly Removal[]): MatchResult {
  const matches = uniqueSlots(slots).map((slot): SlotMatch => ({ slot, matched: [], pills_taken: 0 }));
  const extra: UnmatchedPills[] = [];
  let first = 0;
  for (const removal of uniqueRemovals(removals)) {
    while (isOver(matches[first], removal.time)) first += 1;
    const containing = windowsContaining(matches, first, removal.time);
    const open = containing.length > 0 ? chooseSlot(containing, removal) : chooseTouched(matches, removal);
    const used = open ? assign(open, removal) : 0;
    if (used < removal.pills)
      extra.push(extraOf(removal, removal.pills - used, open ?? containing.at(-1)?.match));
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

/** A slot whose window contains a removal. */
interface OpenSlot {
  match: SlotMatch;
  /** Until when a removal is rather its dose than that of the next slot, included. Epoch milliseconds. */
  ends: number;
}

function windowsContaining(matches: readonly SlotMatch[], first: number, time: Date): OpenSlot[] {
  const containing: OpenSlot[] = [];
  const latestSlot = time.getTime() + SCHEDULE_LIMITS.early_window_ms;
  for (let index = first; index < matches.length; index += 1) {
    const match = matches[index]!;
    if (match.slot.scheduled_at.getTime() > latestSlot) break;
    if (match.slot.early_from <= time && time <= match.slot.missed_at)
      containing.push({ match, ends: endOf(match.slot, matches[index + 1]?.slot) });
  }
  return containing;
}

function endOf({ scheduled_at }: Slot, next: Slot | undefined): number {
  if (!next) return Infinity;
  const gap = next.scheduled_at.getTime() - scheduled_at.getTime();
  return scheduled_at.getTime() + SHARE_OF_GAP * gap;
}

/** The slot that a removal counts for, of those whose window contains it in order; undefined if all are whole. */
function chooseSlot(containing: readonly OpenSlot[], { time, pills }: Removal): SlotMatch | undefined {
  const open = containing.filter(({ match }) => match.pills_taken < match.slot.pills);
  const own = open.find(({ ends }) => time.getTime() <= ends) ?? open.at(-1);
  if (!own) return undefined;
  const { slot, pills_taken } = own.match;
  if (pills_taken === 0 || pills <= slot.pills - pills_taken) return own.match;
  const next = open.slice(open.indexOf(own)).find(({ match }) => match.pills_taken === 0)?.match;
  return next?.slot.pills === pills ? next : own.match;
}

/** The slot whose window was open while the bottle was, of a removal that was closed outside every window. */
function chooseTouched(matches: readonly SlotMatch[], removal: Removal): SlotMatch | undefined {
  const { opened_at, time } = removal;
  if (!opened_at) return undefined;
  const touched = matches.flatMap((match, index) =>
    match.slot.early_from <= time && opened_at <= match.slot.missed_at
      ? [{ match, ends: endOf(match.slot, matches[index + 1]?.slot) }]
      : [],
  );
  return chooseSlot(touched, { ...removal, time: opened_at });
}

function assign(match: SlotMatch, removal: Removal): number {
  const { id, pills } = removal;
  const time = timeWithin(match.slot, removal);
  const used = Math.min(pills, match.slot.pills - match.pills_taken);
  const isOutside = time.getTime() !== removal.time.getTime();
  match.matched.push({ removal_id: id, time, pills: used, ...(isOutside && { closed_at: removal.time }) });
  match.pills_taken += used;
  if (match.pills_taken === match.slot.pills) match.completed_at = time;
  return used;
}

/** When the pills were removed as far as the slot is concerned: at the closing, or else when the bottle was open. */
function timeWithin({ early_from, missed_at }: Slot, { time, opened_at }: Removal): Date {
  if (!opened_at || (early_from <= time && time <= missed_at)) return time;
  return opened_at > early_from ? opened_at : early_from;
}

function extraOf({ id, time }: Removal, pills: number, within: SlotMatch | undefined): UnmatchedPills {
  const extra: UnmatchedPills = {
    removal_id: id,
    time,
    pills,
    reason: within ? 'beyond_dose' : 'outside_windows',
  };
  if (within) extra.scheduled_at = within.slot.scheduled_at;
  return extra;
}
