import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';
import { duplicatesOf } from '../collections/upsert.js';
import { emptyMonth, TAKEN } from '../counting/taken.js';
import { fencePath, nameOf, recountedPath, type Unit } from '../counting/tally.js';
import { groupBy } from '../collections/group-by.js';
import { DirtyBuckets } from '../rollup/marks.js';
import { floor, MINUTE, SECOND } from '../time/units.js';
import { heldBy, missing } from './held.js';
import { isHome, type Recount, RecountedLog, spanOf } from './recounted-log.js';

const NAME = 'ts_recounts';
/** A fence lies so far ahead when it is chosen, and still so far when it is set. Milliseconds. */
const AHEAD = 30 * SECOND;
/** Clocks of processes are no further apart. Milliseconds. */
const APART = 10 * SECOND;
/** What was received before a fence is in the log, or was never acknowledged, this much later. Milliseconds. */
const IN_FLIGHT = MINUTE;
/** For ever: what was counted from the log is not rolled up again from a finer tier that is past keeping. */
const CLOSED = new Date('9999-12-31T00:00:00Z');

/**
 * Counts units anew from the log while ingest goes on, exactly. A unit gets a fence: what was received before it is
 * counted from the log and no longer added by those who count as they receive; what is received after it is only
 * added by them. A minute later everything received before the fence is in the log, and the unit grows by what the
 * log has more of than the unit held when it was fenced. Every step may be repeated, and done by several at once.
 */
@Injectable()
export class Recounts {
  constructor(
    private readonly collections: RangedCollections,
    private readonly marks: DirtyBuckets,
    private readonly log: RecountedLog,
  ) {}

  /** Fences these units; one that is being recounted is left to whoever began. @returns how many it began. */
  async begin(units: readonly Unit[], clock: { now(): Date }): Promise<number> {
    const wanted = [...new Map(units.map((unit) => [nameOf(unit), unit])).values()];
    const recounts = await this.collections.get<Recount>(NAME);
    const begun = await recounts
      .find({ _id: { $in: wanted.map(nameOf) } }, { projection: { _id: 1 } })
      .toArray();
    const known = new Set(begun.map(({ _id }) => _id));
    const fresh = wanted.filter((unit) => !known.has(nameOf(unit)) && isHome(unit, clock.now()));
    await this.fenceAll(fresh, clock);
    return fresh.length;
  }

  /** How many of these units are still to be counted. */
  async countOpen(units: readonly Unit[]): Promise<number> {
    const recounts = await this.collections.get<Recount>(NAME);
    return recounts.countDocuments({ _id: { $in: units.map(nameOf) } });
  }

  /**
   * Counts the units whose fences are a minute old.
   *
   * @param heartbeatsSince older ones are no longer in the log: their counts stay as they are.
   * @returns how many were counted.
   */
  async finishDue(clock: { now(): Date }, heartbeatsSince: Date, stopping = () => false): Promise<number> {
    const now = clock.now();
    const recounts = await this.collections.get<Recount>(NAME);
    const due = await recounts.find({ fence: { $lte: new Date(now.getTime() - IN_FLIGHT) } }).toArray();
    // whoever fenced it was stopped before it had noted what was held
    const unnoted = due.filter(({ held }) => !held);
    const past = unnoted.filter(({ unit }) => !isHome(unit, now));
    await recounts.deleteMany({ _id: { $in: past.map(({ _id }) => _id) } });
    await this.fenceAll(
      unnoted.filter((recount) => !past.includes(recount)).map(({ unit }) => unit),
      clock,
    );
    const ready = due.filter(({ held }) => held);
    let done = 0;
    for (const some of groupBy(ready, ({ fence }) => fence.toISOString()).values()) {
      for (const together of this.log.readTogether(some)) {
        if (stopping()) return done;
        const counted = await this.log.count(together, heartbeatsSince);
        for (const recount of together)
          await this.finish(recount, counted.find(recount.unit), clock, heartbeatsSince);
        done += together.length;
      }
    }
    return done;
  }

  /** Units that are fenced within some seconds share a fence, and are read from the log in one walk. */
  private async fenceAll(units: readonly Unit[], clock: { now(): Date }): Promise<void> {
    let chosen = chooseFence(clock.now());
    const isNear = (margin: number): boolean => clock.now().getTime() > chosen.fence.getTime() - margin;
    for (const unit of units) {
      do {
        if (isNear(2 * APART)) chosen = chooseFence(clock.now());
        await this.fence(unit, chosen);
        // set so late, it may have let in what was received after it: once more
      } while (isNear(APART));
    }
  }

  private async fence(unit: Unit, { begun_at, fence }: Fence): Promise<void> {
    const recounts = await this.collections.get<Recount>(NAME);
    const _id = nameOf(unit);
    await recounts.updateOne(
      { _id },
      { $set: { unit, begun_at, fence }, $unset: { held: '' } },
      { upsert: true },
    );
    const document = await this.setFence(unit, fence);
    // a later fence is somebody else's
    if (!document) return;
    await recounts.updateOne({ _id, fence }, { $set: { held: [...heldBy(unit.part, document)] } });
  }

  /** @returns the document at the moment from which on the fence holds; undefined where a later one is. */
  private async setFence(
    { collection: name, key, part }: Unit,
    fence: Date,
  ): Promise<mongo.Document | undefined> {
    const collection = await this.collections.get(name);
    const filter = { ...key, [fencePath(part)]: { $not: { $gte: fence } } };
    const closed = part.kind === 'field' ? { [`rolled_at.${part.field}`]: CLOSED } : {};
    const update = { $set: { [fencePath(part)]: fence, ...closed } };
    if (name === TAKEN) {
      const { medication, time_zone, date } = key as { medication: string; time_zone: string; date: Date };
      await duplicatesOf(() => collection.insertOne(emptyMonth(medication, time_zone, date)));
    }
    const found: mongo.Document[] = [];
    const set = async (): Promise<void> => {
      const options = { upsert: name !== TAKEN, returnDocument: 'after' } as const;
      const document = await collection.findOneAndUpdate(filter, update, options);
      if (document) found.push(document);
    };
    // where somebody made the document in the same moment, it is there the second time
    if ((await duplicatesOf(set)).length > 0) await duplicatesOf(set);
    return found[0];
  }

  private async finish(
    { _id, unit, fence, held }: Recount,
    counted: Parameters<typeof missing>[1],
    clock: { now(): Date },
    heartbeatsSince: Date,
  ): Promise<void> {
    const { part } = unit;
    const { from, counts } = spanOf(unit);
    const isKept = (path: string): boolean => from < heartbeatsSince && path.endsWith('.heartbeats');
    const added = missing(part, counted, new Map(held), isKept);
    if (counts === 'reports') await this.marks.add('reports', [from], clock.now());
    const collection = await this.collections.get(unit.collection);
    await collection.updateOne(
      { ...unit.key, [fencePath(part)]: fence, [recountedPath(part)]: { $ne: fence } },
      {
        ...(added.size > 0 ? { $inc: Object.fromEntries(added) } : {}),
        ...(counted && counted.least.size > 0
          ? { $min: Object.fromEntries(counted.least), $max: Object.fromEntries(counted.greatest) }
          : {}),
        $set: { [recountedPath(part)]: fence },
      },
    );
    await (await this.collections.get<Recount>(NAME)).deleteOne({ _id, fence });
  }
}

type Fence = Pick<Recount, 'begun_at' | 'fence'>;

function chooseFence(now: Date): Fence {
  return { begun_at: now, fence: new Date(floor(now, SECOND).getTime() + AHEAD) };
}
