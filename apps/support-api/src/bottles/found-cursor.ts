import { Problem } from '#platform';
import type { FoundAt } from './find.service.js';

const ID = /^[0-9a-f]{24}$/;

/** The cursor of a list of found bottles: it names the entry of the index where the page ended. */
export function encodeFound({ by, key, bottle }: FoundAt): string {
  return Buffer.from(JSON.stringify(['found', by, key, ...(bottle === undefined ? [] : [bottle])])).toString(
    'base64url',
  );
}

/** @throws Problem 400 `invalid_cursor` */
export function decodeFound(cursor: string): FoundAt {
  const [list, by, key, bottle, ...more] = readArray(cursor);
  const known = list === 'found' && (by === 'id' || by === 'medication') && typeof key === 'string';
  const fits = bottle === undefined || (by === 'medication' && typeof bottle === 'string' && ID.test(bottle));
  if (!known || !fits || more.length > 0) {
    throw Problem.field('cursor', 'invalid_cursor', 'cursor must be a next_cursor of this list');
  }
  return { by, key, ...(bottle === undefined ? {} : { bottle }) };
}

function readArray(cursor: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? (read as unknown[]) : [];
  } catch {
    return [];
  }
}
