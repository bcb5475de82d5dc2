import { MINUTE_MS, SECOND_MS } from '#domain';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RangedCollections } from '../collections/ranged-collections.js';

/** How far a job over the log has come, and who does it now. */
interface ProgressDocument {
  _id: string;
  /** Everything before this is done. */
  until: Date;
  lease?: { token: string; ends_at: Date };
}

const NAME = 'ts_progress';
/** Whoever says nothing for so long is dead, or as good as that: somebody else goes on. Milliseconds. */
const LEASE = MINUTE_MS;
/** Often enough that a slow database or a busy moment costs nobody the lease. */
const RENEWED_EVERY = LEASE / 6;
const ASK_AGAIN = SECOND_MS / 5;

/** One at a time does the work, and goes on where the one before stopped. It is renewed until it is released. */
export interface Lease {
  readonly until: Date;
  /** To be called before what was found while nobody else worked is used. @throws when somebody else works by now. */
  hold(): Promise<void>;
  /** Everything before `until` is done. @returns false when the lease is somebody else's by now. */
  advance(until: Date): Promise<boolean>;
  release(): Promise<void>;
}

/** The progress of the workers that follow the log: every query on `ts_progress`. */
@Injectable()
export class Progress {
  constructor(private readonly collections: RangedCollections) {}

  /** Up to when a job is done; undefined before it was begun. */
  async until(name: string): Promise<Date | undefined> {
    return (await this.collections.existing<ProgressDocument>(NAME).findOne({ _id: name }))?.until;
  }

  /** @param beginning where the work begins, asked once. @returns undefined while somebody else does it. */
  async claim(
    name: string,
    clock: { now(): Date },
    beginning: () => Promise<Date>,
  ): Promise<Lease | undefined> {
    const entries = await this.collections.get<ProgressDocument>(NAME);
    if (!(await this.until(name))) {
      const until = await beginning();
      await entries.updateOne({ _id: name }, { $setOnInsert: { until } }, { upsert: true });
    }
    const token = randomUUID();
    const lease = (): NonNullable<ProgressDocument['lease']> => ({
      token,
      ends_at: new Date(clock.now().getTime() + LEASE),
    });
    const mine = { _id: name, 'lease.token': token };
    const found = await entries.findOneAndUpdate(
      { _id: name, 'lease.ends_at': { $not: { $gt: clock.now() } } },
      { $set: { lease: lease() } },
      { returnDocument: 'after' },
    );
    if (!found) return undefined;
    const renew = async (progress: Partial<ProgressDocument> = {}): Promise<boolean> =>
      (await entries.updateOne(mine, { $set: { ...progress, lease: lease() } })).matchedCount === 1;
    // one that could not be renewed shows in what its holder asks next
    const timer = setInterval(() => void renew().catch(() => undefined), RENEWED_EVERY).unref();
    return {
      until: found.until,
      hold: async () => {
        if (!(await renew())) throw new Error(`${name}: somebody else has continued it meanwhile`);
      },
      advance: (until) => renew({ until }),
      release: async () => {
        clearInterval(timer);
        await entries.updateOne(mine, { $unset: { lease: '' } });
      },
    };
  }

  /** Runs something while nobody does the work; waits for whoever does. */
  async held<T>(
    name: string,
    clock: { now(): Date },
    beginning: () => Promise<Date>,
    run: (lease: Lease) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const lease = await this.claim(name, clock, beginning);
      if (!lease) {
        await sleep(ASK_AGAIN);
        continue;
      }
      try {
        return await run(lease);
      } finally {
        await lease.release();
      }
    }
  }
}
