import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';

/** Counts of what was received in [from, to), with events in these hours, did not arrive, or may not have. */
export interface Loss {
  from: Date;
  to: Date;
  hours: Date[];
}

/** What one process that counts says of its counting: whoever finds it dead knows what may be missing. */
export interface WriterEntry {
  _id: string;
  /** Everything received up to here has been counted, but for `lost`. */
  counted_until: Date;
  /** Hours of events, long past, into which reports that are not counted yet may have fallen. */
  hours: Date[];
  /** What was lost without a crash. */
  lost: Loss[];
  /** An orderly stop: nothing was left uncounted. */
  ended: boolean;
}

const NAME = 'ts_writers';

/** The entries of the processes that count. */
@Injectable()
export class WriterJournal {
  private readonly id = randomUUID();

  constructor(private readonly collections: RangedCollections) {}

  /** Before the log is written: events of these hours may be in the log and not in the counts, if we die now. */
  async announce(hours: Date[], now: Date): Promise<void> {
    await this.update({
      $addToSet: { hours: { $each: hours } },
      $setOnInsert: { counted_until: now, lost: [], ended: false },
    });
  }

  /** How far counting has come; the hours that were announced and counted are taken off. */
  async reached(countedUntil: Date, hours: Date[]): Promise<void> {
    await this.update({
      $set: { counted_until: countedUntil, hours },
      $setOnInsert: { lost: [], ended: false },
    });
  }

  async lose(loss: Loss): Promise<void> {
    await this.update({
      $push: { lost: loss },
      $setOnInsert: { counted_until: loss.from, hours: [], ended: false },
    });
  }

  async end(): Promise<void> {
    await (await this.entries()).updateOne({ _id: this.id }, { $set: { ended: true } });
  }

  /** The writers of whose counts something may be missing: that lost some, or died. */
  async findSuspect(deadBefore: Date): Promise<WriterEntry[]> {
    const entries = await this.entries();
    return entries
      .find({
        $or: [{ 'lost.0': { $exists: true } }, { ended: false, counted_until: { $lt: deadBefore } }],
      })
      .toArray();
  }

  /** What was suspect of a writer has been compared with the log. One that has gone on meanwhile stays open. */
  async settle({ _id, counted_until, lost, hours }: WriterEntry, deadBefore: Date): Promise<void> {
    const dead = counted_until < deadBefore;
    const entries = await this.entries();
    await entries.updateOne(
      { _id },
      {
        $pull: { lost: { from: { $in: lost.map(({ from }) => from) } } },
      },
    );
    if (dead) await entries.updateOne({ _id, counted_until, hours }, { $set: { ended: true } });
  }

  private async update(update: mongo.UpdateFilter<WriterEntry>): Promise<void> {
    await (await this.entries()).updateOne({ _id: this.id }, update, { upsert: true });
  }

  private entries(): Promise<mongo.Collection<WriterEntry>> {
    return this.collections.get<WriterEntry>(NAME);
  }
}
