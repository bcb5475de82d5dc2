import { hash } from 'node:crypto';

const OBJECT_ID_LENGTH = 24;
const SECONDS_LENGTH = 8;

/**
 * An ObjectId (24 hex digits) derived from the parts, so that storing the same thing twice collides.
 * The parts are hashed with their lengths, so ('ab','c') and ('a','bc') differ.
 */
export function derivedId(...parts: readonly string[]): string {
  return digest(parts).slice(0, OBJECT_ID_LENGTH);
}

/** As {@link derivedId}, but longer, for ids that receivers see: 32 hex digits. */
export function derivedMessageId(...parts: readonly string[]): string {
  return digest(parts).slice(0, 32);
}

/**
 * An ObjectId whose first four bytes are the seconds of `at`, as in any ObjectId, and whose rest is derived from the
 * parts: ids close in time are close in the index.
 */
export function derivedIdAt(at: Date, ...parts: readonly string[]): string {
  // modulo 2^32, for clocks before 1970 too
  const seconds = (Math.floor(at.getTime() / 1000) >>> 0).toString(16).padStart(SECONDS_LENGTH, '0');
  return seconds + digest(parts).slice(0, OBJECT_ID_LENGTH - SECONDS_LENGTH);
}

function digest(parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  return hash('sha256', text, 'hex');
}
