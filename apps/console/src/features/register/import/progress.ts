import { HOUR_MS } from '../../../time/durations.js';
import { randomKey } from '../../../api/random-key.js';
import { now } from '../../../time/clock.js';

/** What a browser remembers of an import until it is finished: nothing about patients, and no tokens. */
export interface ImportProgress {
  /** Part of the idempotency keys of the requests. */
  id: string;
  /** Of the file. */
  digest: string;
  /** When it began, by the server's clock. Epoch milliseconds. */
  at: number;
  parts: number;
  /** How many parts were answered. */
  done: number;
  /** By part: the session in which it was sent last; it may have arrived. */
  sentIn: string[];
}

const SETTING = 'pillwatch.import';
/** The server remembers its answers for 24 hours. */
const REMEMBERED_MS = 23 * HOUR_MS;

/** The unfinished import of this browser. */
export function storedImport(): ImportProgress | undefined {
  const text = localStorage.getItem(SETTING);
  return text === null ? undefined : (JSON.parse(text) as ImportProgress);
}

export function forgetImport(): void {
  localStorage.removeItem(SETTING);
}

export function keep(progress: ImportProgress): void {
  localStorage.setItem(SETTING, JSON.stringify(progress));
}

/** The import of this file: the one that was begun, or a new one. */
export function importOf(csv: string, parts: number): ImportProgress {
  const stored = storedImport();
  const digest = digestOf(csv);
  if (stored?.digest === digest && stored.parts === parts) return stored;
  return { id: randomKey(), digest, at: now(), parts, done: 0, sentIn: [] };
}

/** Whether the server still knows what it answered to a part that was sent in this session. */
export const isRemembered = ({ at, sentIn }: ImportProgress, part: number, session: string): boolean =>
  sentIn[part] === session && now() - at < REMEMBERED_MS;

/** Tells files and sessions apart; not a secret, and no protection. FNV-1a, twice 32 bits, and the length. */
export function digestOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(text.length - 1 - at), 0x01000193);
  }
  return [one, other, text.length].map((part) => (part >>> 0).toString(16)).join('-');
}
