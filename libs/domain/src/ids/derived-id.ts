import { createHash } from 'node:crypto';

const OBJECT_ID_BYTES = 12;

/**
 * An ObjectId (24 hex digits) made of what it names, so that recording the same thing twice collides.
 * The parts are hashed with their lengths, so ('ab','c') and ('a','bc') differ.
 */
export function derivedId(...parts: readonly string[]): string {
  return digest(parts).subarray(0, OBJECT_ID_BYTES).toString('hex');
}

/** As {@link derivedId}, with the full strength of a message id that leaves the house: 32 hex digits. */
export function derivedMessageId(...parts: readonly string[]): string {
  return digest(parts).subarray(0, 16).toString('hex');
}

/**
 * An ObjectId whose first four bytes are the seconds of `at`, as ObjectIds have them, and whose rest is made
 * of what it names: neighbours in time are neighbours in the index.
 */
export function derivedIdAt(at: Date, ...parts: readonly string[]): string {
  const seconds = Buffer.alloc(4);
  // modulo 2^32, for clocks before 1970 too
  seconds.writeUInt32BE(Math.floor(at.getTime() / 1000) >>> 0);
  return Buffer.concat([seconds, digest(parts).subarray(0, OBJECT_ID_BYTES - 4)]).toString('hex');
}

function digest(parts: readonly string[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest();
}
