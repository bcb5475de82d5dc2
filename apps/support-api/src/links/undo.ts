import { HOUR_MS } from '#domain';
import type { Followed } from './followed-links.js';
import { link, notice, type Page } from './page.js';
import type { Reader } from './reader.js';

/** How long an answer can be undone (included; ATTEST-16). Milliseconds. */
const UNDO_MS = HOUR_MS;

/** @returns until when an answer of that moment can be undone; undefined if it cannot any more */
export function undoableUntil(answeredAt: Date, now: Date): Date | undefined {
  const until = new Date(answeredAt.getTime() + UNDO_MS);
  return until < now ? undefined : until;
}

/** Until when an answer can be undone, as a sentence. */
export function undoText(until: Date, reader: Reader): string {
  return reader.say('undo_until', { time: reader.timeOfDay(until) });
}

/** The answer no longer counts, and another can be given. */
export function undone({ reader, token }: Pick<Followed, 'reader' | 'token'>): Page {
  return notice(reader, 200, 'undone', ['undone_text'], [link(reader.say('answer_again'), `../${token}`)]);
}
