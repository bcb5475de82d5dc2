import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';
import { duplicatesOf } from '../collections/upsert.js';
import { MINUTE, SECOND } from '../time/units.js';

/** How far a piece of work over the log has come, and who does it now. */
interface ProgressDocument {
  _id: string;
  /** Everything before this is done. */
  until: Date;
  lease?: { token: string; ends_at: Date };
}

const NAME = 'ts_progress';
/** Whoever says nothing for so long is dead, or as good as that: somebody else goes on. Milliseconds. */
const LEASE = MINUTE;
const ASK_AGAIN = SECOND / 5;

/** One at a time does the work, and goes on where the one before stopped. */
export interface Lease {
  readonly until: Date;
  /** Everything before `until` is done. @returns false when the lease is somebody else's by now. */
  advance(until: Date): Promise<boolean>;
  release(): Promise<void>;
}

/** The progress of the workers that follow the log: every query on `ts_progress`. */
@Injectable()
export class Progress {
  constructor(private readonly collections: RangedCollections) {}

  /** Up to when a piece of work is done; undefined before it was begun. */
  async until(name: string): Promise<Date | undefined> {
    return (await this.entries().findOne({ _id: name }))?.until;
  }

  /** @param beginning where the work begins, asked once. @returns undefined while somebody else does it. */
  async claim(
    name: string,
    clock: { now(): Date },
    beginning: () => Promise<Date>,
  ): Promise<Lease | undefined> {
    const entries = await this.collections.get<ProgressDocument>(NAME);
    if (!(await entries.findOne({ _id: name }))) {
      const until = await beginning();
      await duplicatesOf(() => entries.insertOne({ _id: name, until }));
    }
    const token = randomUUID();
    const lease = (): ProgressDocument['lease'] => ({
      token,
      ends_at: new Date(clock.now().getTime() + LEASE),
    });
    const mine = { _id: name, 'lease.token': token };
    const found = await entries.findOneAndUpdate(
      { _id: name, 'lease.ends_at': { $not: { $gt: clock.now() } } },
      { $set: { lease: lease()! } },
      { returnDocument: 'after' },
    );
    return (
      (found && {
        until: found.until,
        advance: async (until) =>
          (await entries.updateOne(mine, { $set: { until, lease: lease()! } })).matchedCount === 1,
        release: async () => void (await entries.updateOne(mine, { $unset: { lease: '' } })),
      }) ??
      undefined
    );
  }

  /** Runs something while nobody does the work; waits for whoever does. */
  async held<T>(
    name: string,
    clock: { now(): Date },
    beginning: () => Promise<Date>,
    run: (lease: Lease) => Promise<T>,
  ): Promise<T> {
    let lease = await this.claim(name, clock, beginning);
    while (!lease) {
      await sleep(ASK_AGAIN);
      lease = await this.claim(name, clock, beginning);
    }
    try {
      return await run(lease);
    } finally {
      await lease.release();
    }
  }

  private entries(): mongo.Collection<ProgressDocument> {
    return this.collections.existing<ProgressDocument>(NAME);
  }
}
