import { countUntil } from '../time/count-until.js';
import { DAY_MS } from '../time/durations.js';
import type { PeriodReason } from './periods.js';
import { SCHEDULE_LIMITS } from './schedule.js';
import { gapsBefore, type Slot } from './slots.js';

/** Pills taken out of the bottle at one closing, at least 1. An opening without a removal is no dose. */
export interface Removal {
  id: string;
  time: Date;
  pills: number;
  /** Of which bottle of the plan: 0 of the one that has it, then the others in their order. Default: 0. */
  bottle?: number;
  /** When it was reported; known only for bottles with a silence. */
  received_at?: Date;
  /** When the bottle was opened for it; known only where it matters ({@link openingsMatter}). */
  opened_at?: Date;
}

/** The part of a removal that counts for a slot. */
export interface MatchedRemoval {
  removal_id: string;
  time: Date;
  /** Pills of this removal that count for the slot. */
  pills: number;
  /** When the bottle was closed, if that is not `time` because it was outside the window. */
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

/** An opening longer before the first of the windows that follow each other without a gap is not looked for. Milliseconds. */
export const OPENING_SEARCH_MS = DAY_MS;

/**
 * Matches removals to slots, in order and one to one (did-i-take-my-meds#68).
 *
 * Removals are processed by time, then id. Each counts for one slot only, of those whose window `[early_from, missed_at]`
 * contains it and that are not yet whole: the first that ends no earlier than the removal, or else the last. Where
 * windows overlap, a slot ends at {@link SHARE_OF_GAP} of the time to the next one: who missed 08:00 and takes a pill at
 * 11:58 means the dose of 12:00, so one missed dose shifts no other (MedTimer#1136). What exceeds the slot is extra, so
 * that a late dose never uses up the next one.
 *
 * Pills leave the bottle between its opening and its closing. Where the opening is known, the slot is the one that a
 * removal at that time would be, of those whose windows were open while the bottle was; what exceeds it is of those whose
 * windows opened meanwhile. Only windows without a gap between them and the closing are asked: judging begins anew after
 * a gap ({@link chainStart}).
 *
 * Only a removal of exactly one whole dose passes over a slot that is partly taken and lacks fewer pills, to the next one
 * that is not begun: nobody removes a whole dose to complete a part. Pills that the slot lacks are the rest of it, even
 * if the next slot has as many because the dose was changed.
 *
 * The result depends on the sets alone: order and repetition (the same removal id, the same slot instant) change
 * nothing. Matched and extra pills add up to the pills removed.
 */
export function matchRemovals(slots: readonly Slot[], removals: readonly Removal[]): MatchResult {
  const { windows, extra } = matchWindows(slots, removals);
  return { slots: windows.map(({ match }) => match), extra };
}

function matchWindows(
  slots: readonly Slot[],
  removals: readonly Removal[],
): { windows: Window[]; extra: UnmatchedPills[] } {
  const windows = windowsOf(slots);
  const extra: UnmatchedPills[] = [];
  for (const removal of uniqueRemovals(removals)) {
    const { touched, from } = windowsTouched(windows, removal);
    let left = removal.pills;
    let last: SlotMatch | undefined;
    for (let next = chooseSlot(touched, from, left); next && left > 0; next = openedAfter(touched, from)) {
      left -= assign(next, removal, left);
      last = next;
    }
    const within = last ?? touched.findLast(({ match }) => removal.time <= match.slot.missed_at)?.match;
    if (left > 0) extra.push(extraOf(removal, left, within));
  }
  return { windows, extra };
}

/**
 * Whether it can matter when the bottle was opened: for pills that were removed after the end of a slot that lacked some,
 * or that exceed theirs while another lacks some. If not, the match is the same with and without openings.
 */
export function openingsMatter(slots: readonly Slot[], removals: readonly Removal[]): boolean {
  const { windows, extra } = matchWindows(slots, removals);
  const exceeding = new Set(extra.map(({ removal_id }) => removal_id));
  return removals.some(({ id, time }) => {
    const linked = windows[lastBegun(windows, time)]?.chain;
    return windows.some(
      ({ ends, chain, match: { slot, completed_at } }) =>
        chain === linked &&
        slot.early_from <= time &&
        (!completed_at || completed_at >= time) &&
        (ends < time.getTime() || exceeding.has(id)),
    );
  });
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

/** The window of a slot. */
interface Window {
  match: SlotMatch;
  /** Until when a removal is rather its dose than that of the next slot, included. Epoch milliseconds. */
  ends: number;
  /** The first slot of the windows that follow each other without a gap up to this one. */
  chain: Slot;
}

function windowsOf(slots: readonly Slot[]): Window[] {
  const sorted = uniqueSlots(slots);
  const followsGap = gapsBefore(sorted);
  let chain = sorted[0]!;
  return sorted.map((slot, index) => {
    if (followsGap[index]) chain = slot;
    return { match: { slot, matched: [], pills_taken: 0 }, ends: endOf(slot, sorted[index + 1]), chain };
  });
}

function endOf({ scheduled_at, missed_at }: Slot, next: Slot | undefined): number {
  const gap = next ? next.scheduled_at.getTime() - scheduled_at.getTime() : Infinity;
  return Math.min(missed_at.getTime(), scheduled_at.getTime() + SHARE_OF_GAP * gap);
}

/**
 * The slots in the order in which pills that left at a time would count for them: from the first that ends no earlier on, and
 * then those before, the last first.
 *
 * @param matches in order of time
 */
export function inOrderOfChoice<M extends Pick<SlotMatch, 'slot'>>(matches: readonly M[], at: Date): M[] {
  const first = matches.findIndex(({ slot }, index) => endOf(slot, matches[index + 1]?.slot) >= at.getTime());
  const own = first === -1 ? matches.length : first;
  return [...matches.slice(own), ...matches.slice(0, own).toReversed()];
}

/** Where the last window is that began by a time; -1 if none had. */
function lastBegun(windows: readonly Window[], time: Date): number {
  const latest = time.getTime() + SCHEDULE_LIMITS.early_window_ms;
  let index = countUntil(windows, ({ match }) => match.slot.scheduled_at.getTime(), latest) - 1;
  while (index >= 0 && windows[index]!.match.slot.early_from > time) index -= 1;
  return index;
}

/** The windows that were open at a moment between the opening and the closing, in order; and when the pills may have left first. */
function windowsTouched(
  windows: readonly Window[],
  { time, opened_at = time }: Removal,
): { touched: Window[]; from: Date } {
  const last = lastBegun(windows, time);
  const chain = windows[last]?.chain;
  const isSought = chain && opened_at.getTime() >= chain.early_from.getTime() - OPENING_SEARCH_MS;
  const from = isSought ? opened_at : time;
  const touched: Window[] = [];
  for (let index = last; index >= 0; index -= 1) {
    const window = windows[index]!;
    const { scheduled_at, early_from, missed_at } = window.match.slot;
    const isOver = scheduled_at.getTime() + SCHEDULE_LIMITS.missed_after_ms < from.getTime();
    if (isOver || window.chain !== chain) break;
    if (early_from <= time && from <= missed_at) touched.push(window);
  }
  return { touched: touched.reverse(), from };
}

const isOpen = ({ match }: Window): boolean => match.pills_taken < match.slot.pills;

/** The slot that a removal counts for, of those in order whose window it touches; undefined if all are whole. */
function chooseSlot(touched: readonly Window[], time: Date, pills: number): SlotMatch | undefined {
  const open = touched.filter(isOpen);
  const own = open.find(({ ends }) => time.getTime() <= ends) ?? open.at(-1);
  if (!own) return undefined;
  const { slot, pills_taken } = own.match;
  if (pills_taken === 0 || pills <= slot.pills - pills_taken) return own.match;
  const next = open.slice(open.indexOf(own)).find(({ match }) => match.pills_taken === 0)?.match;
  return next?.slot.pills === pills ? next : own.match;
}

/** The next slot for the rest of a removal: the first that is not whole and whose window began after the opening. */
function openedAfter(touched: readonly Window[], opened: Date): SlotMatch | undefined {
  return touched.find((window) => isOpen(window) && window.match.slot.early_from > opened)?.match;
}

function assign(match: SlotMatch, removal: Removal, pills: number): number {
  const { id } = removal;
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
