import {
  type Actor,
  type AuditCategory,
  AuditRepository,
  type NewAuditEntry,
  type Subject,
  subjectKey,
} from '#persistence';
import { Clock, GroupCommit, LruMap } from '#platform';
import { Injectable, Logger } from '@nestjs/common';

/** An action to record. */
export interface AuditRecord {
  action: string;
  subject: Subject;
  /** Other subjects that it concerns. */
  also?: Subject[];
  /** No secrets, no patient data. */
  details?: Record<string, unknown>;
}

/** What waits in memory is written after so long. Milliseconds. */
const WRITE_AFTER = 200;
/** Or as soon as so much waits. */
const WRITE_AT = 500;
/** More than this is not kept while the database cannot be reached. */
const MOST_WAITING = 20_000;
/** A page reads again whenever something changes: the same read is noted once in this time. Milliseconds. */
const REPEATED_WITHIN = 5 * 60_000;

/** Who did what, and who saw what. */
@Injectable()
export class AuditLog {
  private readonly logger = new Logger(AuditLog.name);
  private readonly recent = new LruMap<string, number>(MOST_WAITING);
  private waiting: NewAuditEntry[] = [];
  /** How many could not be kept since the last message in the log. */
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly writes = new GroupCommit<NewAuditEntry, void>(
    async (entries) => {
      await this.entries.append(entries);
      return entries.map(() => undefined);
    },
    { group: 1_000, queued: MOST_WAITING, inFlight: 1 },
  );

  constructor(
    private readonly entries: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** Records changes. They are answered only after this. */
  async record(actor: Actor, ...records: AuditRecord[]): Promise<void> {
    if (records.length > 0) await this.writes.add(records.map((one) => this.entryOf('change', actor, one)));
  }

  /** Records an export. It is sent only after this. */
  async recordExport(actor: Actor, record: AuditRecord): Promise<void> {
    await this.writes.add([this.entryOf('read', actor, record)]);
  }

  /**
   * Records what was seen or refused, without making anyone wait: it is written within {@link WRITE_AFTER}. A crash
   * loses what was not yet written.
   *
   * @param key what makes it the same as an earlier one, which is then enough for {@link REPEATED_WITHIN}
   */
  note(category: AuditCategory, actor: Actor, record: AuditRecord, key?: string): void {
    if (key !== undefined && this.isRepeated(key)) return;
    if (this.waiting.length >= MOST_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(this.entryOf(category, actor, record));
    if (this.waiting.length >= WRITE_AT) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), WRITE_AFTER);
  }

  /** Records what was seen, as {@link note} does. */
  noteRead(actor: Actor, record: AuditRecord): void {
    this.note('read', actor, record, readKey(actor, record));
  }

  private isRepeated(key: string): boolean {
    const now = this.clock.now().getTime();
    const last = this.recent.get(key);
    if (last !== undefined && now - last < REPEATED_WITHIN) return true;
    this.recent.set(key, now);
    return false;
  }

  /** Writes what waits. What cannot be written waits for the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const entries = this.waiting.splice(0);
    this.logDropped();
    if (entries.length === 0) return;
    try {
      await this.writes.add(entries);
    } catch (error) {
      const kept = entries.slice(0, MOST_WAITING - this.waiting.length);
      this.dropped += entries.length - kept.length;
      this.waiting.unshift(...kept);
      this.timer ??= setTimeout(() => void this.flush(), 10 * WRITE_AFTER).unref();
      this.logger.warn(`${entries.length} audit entries wait: ${(error as Error).name}`);
    }
  }

  /** Nobody else would notice that the audit is not complete. */
  private logDropped(): void {
    if (this.dropped === 0) return;
    this.logger.error(
      `${this.dropped} reads and refusals are not in the audit: too many waited to be written`,
    );
    this.dropped = 0;
  }

  /** Writes what waits, and what the timer has begun to write. Call it before the connection to the database closes. */
  async finish(): Promise<void> {
    await this.flush();
    await this.writes.idle();
    clearTimeout(this.timer);
  }

  private entryOf(
    category: AuditCategory,
    { kind, id, name, address }: Actor,
    { action, subject, also, details = {} }: AuditRecord,
  ): NewAuditEntry {
    const who = { kind, id, name, ...(address === undefined ? {} : { address }) };
    return { at: this.clock.now(), category, who, action, subject, ...(also && { also }), details };
  }
}

/** Names a read: the same person at the same address who sees the same thing. */
function readKey(actor: Actor, { action, subject, also = [], details }: AuditRecord): string {
  return JSON.stringify([actor.id, actor.address, action, [subject, ...also].map(subjectKey), details]);
}
