import { LONG_COMMAND } from '#persistence';
import { Injectable } from '@nestjs/common';
import { RangedCollections } from '../collections/ranged-collections.js';
import {
  addTaken,
  ALL_ZONES,
  type Removal,
  TAKEN,
  type TakenKey,
  type TakenSlot,
  takenSlots,
} from '../counting/taken.js';
import { spansBetween, startOf } from '../time/units.js';
import type { Difference } from './difference.js';

const KEYS = ['pills_taken', 'doses'] as const satisfies TakenKey[];

/** A quarter of an hour of the wall clock, by tags. */
export type TaggedCount = TakenSlot & Record<TakenKey, number>;

/** What the log says of the quarters of an hour of the wall clock, by tags. */
export class TagLog {
  readonly slots = new Map<string, TaggedCount>();

  /** @param range hours of the wall clock, written as if they were UTC. */
  constructor(readonly range: { from: Date; to: Date }) {}

  add(removal: Removal): void {
    for (const slot of takenSlots(removal)) {
      if (slot.shown < this.range.from || slot.shown >= this.range.to) continue;
      const sums = this.of(slot);
      sums.pills_taken += removal.pills_taken;
      sums.doses += 1;
    }
  }

  of(slot: TakenSlot): TaggedCount {
    const name = nameOf(slot);
    const { medication, time_zone, shown } = slot;
    const known = this.slots.get(name) ?? { medication, time_zone, shown, pills_taken: 0, doses: 0 };
    this.slots.set(name, known);
    return known;
  }
}

/** Compares what was counted by tags with the log, a quarter of an hour of the wall clock at a time. */
@Injectable()
export class TagComparison {
  constructor(private readonly collections: RangedCollections) {}

  compare(read: readonly TaggedCount[], log: TagLog): Difference[] {
    const found = new Map(read.map((one) => [nameOf(one), one]));
    for (const one of read) log.of(one);
    return [...log.slots.values()].flatMap((slot) =>
      KEYS.flatMap((key): Difference[] => {
        const [counted, logged] = [found.get(nameOf(slot))?.[key] ?? 0, slot[key]];
        if (counted === logged) return [];
        const kind = `${slot.medication}, ${slot.time_zone === ALL_ZONES ? 'all zones' : slot.time_zone}: ${key}`;
        const mend: Difference['mend'] = (tally) => addTaken(tally, slot, key, logged - counted);
        return [{ tier: 'tags', bucket: slot.shown, kind, counted, logged, mend }];
      }),
    );
  }

  /** What is not 0. @param range hours of the wall clock, written as if they were UTC. */
  read({ from, to }: { from: Date; to: Date }): Promise<TaggedCount[]> {
    return this.collections
      .existing(TAKEN)
      .aggregate<TaggedCount>(
        [
          { $match: { date: { $in: spansBetween('month', from, to) } } },
          { $unwind: '$days' },
          { $match: { 'days.date': { $gte: startOf('day', from), $lt: to } } },
          { $unwind: '$days.hours' },
          { $match: { 'days.hours.date': { $gte: from, $lt: to } } },
          { $unwind: '$days.hours.minutes' },
          { $match: { $or: KEYS.map((key) => ({ [`days.hours.minutes.${key}`]: { $ne: 0 } })) } },
          {
            $project: {
              _id: 0,
              medication: 1,
              time_zone: 1,
              shown: '$days.hours.minutes.date',
              ...Object.fromEntries(KEYS.map((key) => [key, `$days.hours.minutes.${key}`])),
            },
          },
        ],
        LONG_COMMAND,
      )
      .toArray();
  }
}

const nameOf = ({ medication, time_zone, shown }: TakenSlot): string =>
  JSON.stringify([medication, time_zone, shown.getTime()]);
