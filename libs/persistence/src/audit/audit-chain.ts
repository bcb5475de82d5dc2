import { createHash } from 'node:crypto';
import type { AuditEntry } from './audit.schema.js';

/** The last entry of the chain, or what stands for it. */
export interface ChainHead {
  seq: number;
  hash: string;
}

/** Before the first entry. */
export const CHAIN_START: ChainHead = { seq: 0, hash: '' };

/** An entry that is not yet in the chain. */
export type UnchainedEntry = Omit<AuditEntry, 'seq' | 'previous' | 'hash'>;

const FIELDS = new Set('_id seq previous hash at category who action subject about details'.split(' '));

/** The hash of an entry: SHA-256, base64url, of its fields as JSON, the hash of the entry before it included. */
export function hashOf({ seq, previous, ...entry }: Omit<AuditEntry, 'hash'>): string {
  const { _id, at, category, who, action, subject, about, details } = entry;
  const text = JSON.stringify([seq, previous, _id, at, category, who, action, subject, about, details]);
  return createHash('sha256').update(text).digest('base64url');
}

/** Gives entries the places after `head`. */
export function chained(head: ChainHead, entries: readonly UnchainedEntry[]): AuditEntry[] {
  let last = head;
  return entries.map((entry) => {
    const placed = { ...entry, seq: last.seq + 1, previous: last.hash };
    const linked = { ...placed, hash: hashOf(placed) };
    last = linked;
    return linked;
  });
}

/** An entry as it may be found: nothing is certain about it. */
export type StoredEntry = UnchainedEntry & Partial<AuditEntry>;

/**
 * Follows the chain. Feed it every entry in the order of `seq`, those without one first, and then the head.
 * What it returns names the entries that are wrong; an intact chain returns nothing.
 */
export class ChainCheck {
  last = CHAIN_START;

  /** @returns what is wrong with this entry or before it */
  next(entry: StoredEntry): string[] {
    const { seq, previous, hash } = entry;
    if (seq === undefined) return [`${nameOf(entry)} was inserted: it is not part of the chain`];
    const wrong: string[] = [];
    if (seq <= this.last.seq) wrong.push(`${nameOf(entry)} was inserted: entry ${seq} exists already`);
    else if (seq > this.last.seq + 1) wrong.push(missing(this.last.seq + 1, seq - 1));
    else if (previous !== this.last.hash)
      wrong.push(`${nameOf(entry)} does not follow from entry ${this.last.seq}: one of the two was replaced`);
    const added = Object.keys(entry).filter((field) => !FIELDS.has(field));
    // the text of a date has the same hash, and no list by time finds it
    const isWritten = hash === hashOf(entry as AuditEntry) && entry.at instanceof Date;
    if (!isWritten) wrong.push(`${nameOf(entry)} was changed`);
    else if (added.length > 0) wrong.push(`${nameOf(entry)} was changed: ${added.join(', ')} was added`);
    this.last = { seq, hash: hash ?? '' };
    return wrong;
  }

  /** @param head the last entry as it was recorded apart from the entries; undefined if it was not */
  end(head: ChainHead | undefined): string[] {
    const { seq, hash } = this.last;
    if (!head)
      return seq === 0 ? [] : ['the head of the chain was removed: there may have been newer entries'];
    if (head.seq > seq) return [missing(seq + 1, head.seq)];
    if (head.seq < seq) return [`the head of the chain was set back from entry ${seq} to ${head.seq}`];
    return head.hash === hash ? [] : [`entry ${seq} was replaced: the head of the chain has another hash`];
  }
}

function missing(from: number, to: number): string {
  return from === to ? `entry ${from} was removed` : `entries ${from} to ${to} were removed`;
}

function nameOf({ _id, seq, action, at, who }: StoredEntry): string {
  const what = `${action} by ${who?.name}, ${at instanceof Date ? at.toISOString() : at}`;
  return `${seq === undefined ? '' : `entry ${seq}, `}${_id.toHexString()} (${what})`;
}
