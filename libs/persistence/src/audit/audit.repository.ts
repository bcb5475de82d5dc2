import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { setTimeout } from 'node:timers/promises';
import { isDuplicateKey } from '../database/duplicate-key.js';
import { behind } from '../database/keyset.js';
import { type TimeBounds, within } from '../database/time-bounds.js';
import {
  CHAIN_START,
  ChainCheck,
  chained,
  type ChainHead,
  type StoredEntry,
  type UnchainedEntry,
} from './audit-chain.js';
import { AuditPseudonymsRepository, type NewAuditEntry, subjectKey } from './audit-pseudonyms.repository.js';
import { type AuditCategory, AuditEntry, AuditHead, type Subject } from './audit.schema.js';

/** A page of the audit, newest first. */
export interface AuditPage extends TimeBounds {
  subject?: Subject;
  /** The account's or the key's id. */
  actor_id?: string;
  category?: AuditCategory;
  before?: { time: Date; id: Types.ObjectId };
  limit: number;
}

const HEAD_ID = 'head';
/** Attempts to append after entries of other processes. */
const ATTEMPTS = 100;
/** Old entries that are chained with one command. */
const GROUP = 1_000;
/** A process records its last entry just after it has appended it. */
const HEAD_ATTEMPTS = 20;
const HEAD_WAIT_MS = 100;

/** Every query on `audit` and `audit_head`. */
@Injectable()
export class AuditRepository {
  /** The last entry that this process knows of. */
  private head: ChainHead | undefined;

  constructor(
    @InjectModel(AuditEntry.name) private readonly entries: Model<AuditEntry>,
    @InjectModel(AuditHead.name) private readonly heads: Model<AuditHead>,
    private readonly pseudonyms: AuditPseudonymsRepository,
  ) {}

  /**
   * Appends entries to the chain, in order. Any number of processes may append at once: the index `chain` admits one
   * entry per place, and who comes second appends after it. Within a process, one call at a time is cheapest.
   */
  async append(entries: NewAuditEntry[]): Promise<void> {
    let left = await Promise.all(entries.map((entry) => this.pseudonyms.hide(entry)));
    for (let attempt = 1; left.length > 0; attempt += 1) {
      this.head ??= await this.findHead();
      try {
        left = await this.insert(this.head, left);
      } catch (error) {
        this.head = undefined;
        if (!isDuplicateKey(error) || attempt === ATTEMPTS) throw error;
        left = await this.withoutStored(left);
      }
    }
  }

  private async insert(head: ChainHead, entries: UnchainedEntry[]): Promise<[]> {
    const documents = chained(head, entries);
    await this.entries.collection.insertMany(documents, { ordered: true, ignoreUndefined: true });
    this.head = documents.at(-1)!;
    await this.advanceHead(this.head);
    return [];
  }

  /** Another process has appended meanwhile, perhaps after some of these. */
  private async withoutStored(entries: UnchainedEntry[]): Promise<UnchainedEntry[]> {
    const stored = await this.entries
      .find({ _id: { $in: entries.map(({ _id }) => _id) }, seq: { $exists: true } }, { _id: 1 })
      .lean<{ _id: Types.ObjectId }[]>();
    const ids = new Set(stored.map(({ _id }) => _id.toHexString()));
    return entries.filter(({ _id }) => !ids.has(_id.toHexString()));
  }

  /** The place and hash of the last entry, to be kept outside the database; undefined before the first. */
  async readHead(): Promise<ChainHead | undefined> {
    const head = await this.heads.findById(HEAD_ID).lean<AuditHead>();
    return head && head.seq > 0 ? { seq: head.seq, hash: head.hash } : undefined;
  }

  /**
   * The last entry, or the one that was recorded as the last, so that a removed one leaves a gap. Before the first entry
   * it makes the record of the last one, and never again: whoever removes it must not find it made anew.
   */
  private async findHead(): Promise<ChainHead> {
    const [last, head] = await Promise.all([
      this.entries
        .findOne({ seq: { $exists: true } })
        .sort({ seq: -1 })
        .lean<AuditEntry>(),
      this.heads.findById(HEAD_ID).lean<AuditHead>(),
    ]);
    if (!last && !head) await this.beginHead();
    return [last, head].reduce<ChainHead>(
      (latest, one) => (one && one.seq > latest.seq ? { seq: one.seq, hash: one.hash } : latest),
      CHAIN_START,
    );
  }

  private async beginHead(): Promise<void> {
    try {
      await this.heads.collection.insertOne({ _id: HEAD_ID as never, seq: 0, hash: '' });
    } catch (error) {
      // another process has begun it
      if (!isDuplicateKey(error)) throw error;
    }
  }

  private async advanceHead({ seq, hash }: ChainHead): Promise<void> {
    // like the entries, outside of a transaction that the caller may be in: it may be aborted
    await this.heads.collection.updateOne(
      { _id: HEAD_ID as never, seq: { $lt: seq } },
      { $set: { seq, hash } },
    );
  }

  /** The last entry of an action on a subject. */
  findLast(subject: Subject, action: string): Promise<AuditEntry | null> {
    return this.entries
      .findOne({ about: subjectKey(subject), action })
      .sort({ at: -1, _id: -1 })
      .lean<AuditEntry>();
  }

  /** The subjects of an action since then, oldest first. */
  async findSubjects(action: string, since: Date): Promise<Subject[]> {
    const entries = await this.entries
      .find({ category: 'change', at: { $gte: since }, action }, { subject: 1 })
      .sort({ at: 1, _id: 1 })
      .lean<Pick<AuditEntry, 'subject'>[]>();
    return entries.map(({ subject }) => subject);
  }

  /** With the user ids of people who are not erased. */
  async findPage({
    subject,
    actor_id,
    category,
    before,
    limit,
    ...bounds
  }: AuditPage): Promise<AuditEntry[]> {
    const sought = subject && (await this.pseudonyms.find(subject));
    const filter = {
      ...(sought ? { about: subjectKey(sought) } : {}),
      ...(actor_id === undefined ? {} : { 'who.id': actor_id }),
      ...(category === undefined ? {} : { category }),
      ...within<AuditEntry>('at', bounds),
    };
    const found = await this.entries
      .find(behind<AuditEntry>(filter, 'at', before))
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .lean<AuditEntry[]>();
    return this.pseudonyms.resolve(found);
  }

  /**
   * Follows the chain from its first entry.
   *
   * @param kept an earlier result: a place and the hash that was there
   * @param report takes what is wrong, one sentence each
   * @returns the last entry
   */
  async verify(report: (wrong: string) => void, kept?: ChainHead): Promise<ChainHead> {
    const check = new ChainCheck();
    const before = await this.heads.findById(HEAD_ID).lean<AuditHead>();
    const inserted = this.entries.collection.find<StoredEntry>({ seq: { $exists: false } });
    for await (const entry of inserted) check.next(entry).forEach(report);
    const all = this.entries.collection.find<StoredEntry>({ seq: { $exists: true } }).sort({ seq: 1 });
    for await (const entry of all) {
      check.next(entry).forEach(report);
      if (entry.seq === kept?.seq && entry.hash !== kept?.hash)
        report(`entry ${kept!.seq} or one before it was changed: it had the hash ${kept!.hash}`);
    }
    check.end(await this.headAfter(check.last, before)).forEach(report);
    if (kept && kept.seq > check.last.seq) report(`entry ${kept.seq} was removed`);
    return check.last;
  }

  /**
   * @param last the last entry that was found
   * @param before what was recorded as the last one before the entries were read: a place that is missing is one of them
   * @returns what is recorded as the last entry that should have been found
   */
  private async headAfter(last: ChainHead, before: AuditHead | null): Promise<ChainHead | undefined> {
    if (before && before.seq >= last.seq) return before;
    for (let attempt = 1; ; attempt += 1) {
      const head = await this.heads.findById(HEAD_ID).lean<AuditHead>();
      // more entries have been appended meanwhile; one that was just appended is recorded at once
      if (head && head.seq > last.seq) return last;
      if (!head || head.seq === last.seq || attempt === HEAD_ATTEMPTS) return head ?? undefined;
      await setTimeout(HEAD_WAIT_MS);
    }
  }

  /**
   * Chains the entries that processes of version 0.1.0 wrote, oldest first. One that is cut short continues with the next
   * call; any number of processes may do it at once, and append meanwhile.
   *
   * @param before called with what the entries that are about to be chained concern
   */
  async chainOldEntries(
    before: (subjects: Subject[]) => Promise<void> = async () => undefined,
  ): Promise<void> {
    for (;;) {
      // before the entries: if another process has chained some of them meanwhile, their places are taken
      const head = await this.findHead();
      const old = await this.entries.collection
        // old entries have no category: an index leads to them
        .find<UnchainedEntry>({ category: null, seq: { $exists: false } })
        .sort({ at: 1, _id: 1 })
        .limit(GROUP)
        .toArray();
      if (old.length === 0) break;
      await before(old.flatMap(({ about }) => about.map(readSubject)));
      await this.chainGroup(head, old);
    }
    const head = await this.findHead();
    if (head.seq > 0) await this.advanceHead(head);
  }

  private async chainGroup(head: ChainHead, old: UnchainedEntry[]): Promise<void> {
    const entries = await Promise.all(
      old.map(({ _id, at, who, action, subject, about, details }) =>
        this.pseudonyms
          .hide({
            at,
            category: 'change',
            who,
            action,
            subject,
            also: about.slice(1).map(readSubject),
            details,
          })
          .then((entry) => ({ ...entry, _id })),
      ),
    );
    try {
      await this.entries.collection.bulkWrite(
        chained(head, entries).map(({ _id, ...$set }) => ({
          updateOne: { filter: { _id, seq: { $exists: false } }, update: { $set } },
        })),
        { ordered: true, ignoreUndefined: true },
      );
    } catch (error) {
      // another process does it at this moment
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

function readSubject(key: string): Subject {
  const [kind, ...id] = key.split(':');
  return { kind: kind as Subject['kind'], id: id.join(':') };
}
