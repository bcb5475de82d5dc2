import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditRepository } from '../audit/audit.repository.js';
import { BOTTLE_STATE } from '../bottle-states/bottle-state.schema.js';
import { migrateQuiet } from '../bottle-states/quiet-migration.js';
import { Contact } from '../contacts/contact.schema.js';
import { migrateVerified } from '../contacts/contacts.repository.js';
import { isDuplicateKey } from '../database/duplicate-key.js';

/** One step from a stored form to the next. Its id never changes; it is run until it is recorded as done. */
interface Migration {
  id: string;
  /** Some indexes cannot be created before, others serve the migration. */
  when: 'before indexes' | 'after indexes';
  /** Must be safe to repeat after a kill at any point, and leave what the version before can read and write. */
  run(): Promise<void>;
}

/** A migration that was done, or the lock of the process that migrates. */
interface MigrationDocument {
  _id: string;
  done_at?: Date;
  token?: string;
  until?: Date;
}

const LOCK = 'lock';
/** A process that is killed holds the lock for no longer. Milliseconds. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const ASK_AGAIN_MS = 200;

/**
 * Brings stored records up to this version, forward only: each migration once, in order, by one process at a time; the
 * others wait. docs/upgrading.md has the rules. Every query on `migrations`.
 */
@Injectable()
export class Migrations {
  private readonly logger = new Logger(Migrations.name);
  private readonly token = randomUUID();
  private readonly all: readonly Migration[];

  constructor(
    @InjectConnection() private readonly connection: Connection,
    audit: AuditRepository,
  ) {
    this.all = [
      {
        id: '0001-quiet',
        when: 'before indexes',
        run: () => migrateQuiet(connection.models[BOTTLE_STATE]!.collection),
      },
      { id: '0002-audit-chain', when: 'after indexes', run: () => audit.chainOldEntries() },
      {
        id: '0003-verified-addresses',
        when: 'before indexes',
        run: () => migrateVerified(connection.models[Contact.name]!.collection),
      },
    ];
  }

  /** Runs the migrations of this version that are not done; waits while another process does. */
  async run(when: Migration['when']): Promise<void> {
    while ((await this.pending(when)).length > 0) {
      if (await this.lock()) return this.runLocked(when);
      await sleep(ASK_AGAIN_MS);
    }
  }

  private async runLocked(when: Migration['when']): Promise<void> {
    const renewal = setInterval(() => void this.lock().catch(() => undefined), RENEW_MS).unref();
    try {
      // read again: another process may have done them before it gave up the lock
      for (const migration of await this.pending(when)) {
        await migration.run();
        await this.documents.updateOne(
          { _id: migration.id },
          { $currentDate: { done_at: true } },
          { upsert: true },
        );
        this.logger.log(`${migration.id}: done`);
      }
    } finally {
      clearInterval(renewal);
      await this.documents.updateOne(
        { _id: LOCK, token: this.token },
        { $set: { until: new Date(0) }, $unset: { token: '' } },
      );
    }
  }

  private async pending(when: Migration['when']): Promise<Migration[]> {
    const done = new Set((await this.documents.find({ _id: { $ne: LOCK } }).toArray()).map(({ _id }) => _id));
    return this.all.filter((migration) => migration.when === when && !done.has(migration.id));
  }

  /** Takes the lock or extends it, by the database's clock. @returns false while another process has it */
  private async lock(): Promise<boolean> {
    try {
      await this.documents.updateOne(
        { _id: LOCK },
        { $setOnInsert: { until: new Date(0) } },
        { upsert: true },
      );
    } catch (error) {
      // another process has created it at this moment
      if (!isDuplicateKey(error)) throw error;
    }
    const { matchedCount } = await this.documents.updateOne(
      { _id: LOCK, $or: [{ token: this.token }, { $expr: { $lt: ['$until', '$$NOW'] } }] },
      [{ $set: { token: this.token, until: { $add: ['$$NOW', LEASE_MS] } } }],
    );
    return matchedCount === 1;
  }

  private get documents(): mongo.Collection<MigrationDocument> {
    return this.connection.db!.collection<MigrationDocument>('migrations');
  }
}
