import { Cursors } from '../http/cursor.js';
import { TIMELINE_KINDS, type TimelineKind } from './timeline.dto.js';

/** An entry's place in the timeline: newest first, then by kind, then by id from the greatest. */
export interface Place {
  time: Date;
  kind: TimelineKind;
  /** Hex, unique within the kind and moment; empty where a moment has one at most. */
  id: string;
}

/** A digit for the kind, and the longest id that there is. */
const ID_DIGITS = 32;
const CURSORS = new Cursors('timeline', { timed: true, idDigits: 1 + ID_DIGITS });
/** Behind every kind: all of that moment has been shown. */
const WHOLE_MOMENT = 15;

const rankOf = (kind: TimelineKind): number => TIMELINE_KINDS.indexOf(kind);

/** Which of two comes first. */
export function inOrder(one: Place, other: Place): number {
  return (
    other.time.getTime() - one.time.getTime() ||
    rankOf(one.kind) - rankOf(other.kind) ||
    (one.id < other.id ? 1 : -1)
  );
}

/** The place at which a page ended. */
export interface PageEnd {
  time: Date;
  rank: number;
  id: string;
}

export function cursorAt({ time, kind, id }: Place): string {
  return CURSORS.encode({ time, id: rankOf(kind).toString(16) + id.padStart(ID_DIGITS, '0') });
}

/** For a page that shows everything from a moment on. */
export function cursorBelow(time: Date): string {
  return CURSORS.encode({ time, id: WHOLE_MOMENT.toString(16).padEnd(1 + ID_DIGITS, '0') });
}

/** @throws Problem 400 `invalid_cursor` */
export function readCursor(cursor: string): PageEnd {
  const { time, id } = CURSORS.decode(cursor);
  return { time: time!, rank: Number.parseInt(id.charAt(0), 16), id: id.slice(1) };
}

/** What of a range is left of one kind behind the end of a page. */
export function leftOf(
  kind: TimelineKind,
  range: { from: Date; to: Date },
  end: PageEnd | undefined,
): { from: Date; to: Date; before?: { time: Date; id: string } } {
  if (!end || end.time >= range.to) return range;
  if (rankOf(kind) < end.rank) return { ...range, to: end.time };
  const moment = { ...range, to: new Date(end.time.getTime() + 1) };
  return rankOf(kind) > end.rank ? moment : { ...moment, before: { time: end.time, id: end.id } };
}
