import { Cursors } from '../http/paging.js';
import { TIMELINE_KINDS, type TimelineKind } from './timeline.dto.js';

/** The place of an entry in the timeline: by time, newest first; then by kind; then by id, the greatest first. */
export interface Place {
  time: Date;
  kind: TimelineKind;
  /** Hex, unique within kind and time; empty for a kind with at most one entry at a time. */
  id: string;
}

/** The length of the longest id. */
const ID_DIGITS = 32;
/** The id in a cursor starts with one digit for the kind. */
const CURSORS = new Cursors<{ time: Date; id: string }>('timeline', { timed: true, idDigits: 1 + ID_DIGITS });
/** Greater than the rank of every kind: all entries of that time have been shown. */
const LAST_RANK = 15;

const rankOf = (kind: TimelineKind): number => TIMELINE_KINDS.indexOf(kind);

/** Compares two entries for sorting. */
export function comparePlaces(one: Place, other: Place): number {
  return (
    other.time.getTime() - one.time.getTime() ||
    rankOf(one.kind) - rankOf(other.kind) ||
    (one.id < other.id ? 1 : -1)
  );
}

/** Where a page ended. */
export interface PageEnd {
  time: Date;
  rank: number;
  id: string;
}

export function cursorAt({ time, kind, id }: Place): string {
  return CURSORS.encode({ time, id: rankOf(kind).toString(16) + id.padStart(ID_DIGITS, '0') });
}

/** The cursor of a page that shows every entry at or after a time. */
export function cursorBefore(time: Date): string {
  return CURSORS.encode({ time, id: LAST_RANK.toString(16).padEnd(1 + ID_DIGITS, '0') });
}

/** @throws Problem 400 `invalid_cursor` */
export function readCursor(cursor: string): PageEnd {
  const { time, id } = CURSORS.decode(cursor);
  return { time, rank: Number.parseInt(id.charAt(0), 16), id: id.slice(1) };
}

/** The part of a range that is left for one kind after the end of a page. */
export function remainingRange(
  kind: TimelineKind,
  range: { from: Date; to: Date },
  end: PageEnd | undefined,
): { from: Date; to: Date; before?: { time: Date; id: string } } {
  if (!end || end.time >= range.to) return range;
  if (rankOf(kind) < end.rank) return { ...range, to: end.time };
  const inclusive = { ...range, to: new Date(end.time.getTime() + 1) };
  return rankOf(kind) > end.rank ? inclusive : { ...inclusive, before: { time: end.time, id: end.id } };
}
