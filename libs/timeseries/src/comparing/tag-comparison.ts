import { LONG_COMMAND } from '#persistence';
import { Injectable } from '@nestjs/common';
import { RangedCollections } from '../collections/ranged-collections.js';
import { ALL_ZONES, TAKEN, takenUnit } from '../counting/taken.js';
import { HOUR, spansBetween, startOf } from '../time/units.js';
import { wallClock } from '../time/wall-clock.js';
import { heldAgainst, type Difference } from './difference.js';
import type { Logged, LoggedRemoval } from './report-log.js';

const COUNTED = ['pills_taken', 'doses'] as const;
type Counted = (typeof COUNTED)[number];

interface TaggedHour {
  medication: string;
  time_zone: string;
  hour: Date;
}

/** What was counted in an hour of the wall clock, by tags. */
export type TaggedCount = TaggedHour & Record<Counted, number>;

/** What the log says of the hours of the wall clock, by tags. */
export class TagLog {
  readonly hours = new Map<string, TaggedHour & Record<Counted, Logged>>();

  constructor(
    /** Hours of the wall clock, written as if they were UTC. */
    readonly range: { from: Date; to: Date },
    private readonly receivedBefore: Date,
  ) {}

  add({ time, medication, pills_taken, time_zone, received_at }: LoggedRemoval): void {
    const hour = startOf('hour', wallClock(time, time_zone));
    if (hour < this.range.from || hour >= this.range.to) return;
    const received = received_at < this.receivedBefore;
    for (const zone of [time_zone, ALL_ZONES]) {
      const sums = this.of({ medication, time_zone: zone, hour });
      for (const [key, amount] of [['pills_taken', pills_taken] as const, ['doses', 1] as const]) {
        sums[key].most += amount;
        if (received) sums[key].least += amount;
      }
    }
  }

  of(tagged: TaggedHour): TaggedHour & Record<Counted, Logged> {
    const name = nameOf(tagged);
    const known = this.hours.get(name);
    if (known) return known;
    const nothing = (): Logged => ({ least: 0, most: 0 });
    const hour = { ...tagged, pills_taken: nothing(), doses: nothing() };
    this.hours.set(name, hour);
    return hour;
  }
}

/** How long before and after its hour by the wall clock something may have happened: zones are 14 hours ahead at most. */
export const ZONES_APART = 14 * HOUR;

/** Compares what was counted by tags with the log, an hour of the wall clock at a time. */
@Injectable()
export class TagComparison {
  constructor(private readonly collections: RangedCollections) {}

  /** @param read before the log: what is counted is in the log first. */
  compare(read: readonly TaggedCount[], log: TagLog): Difference[] {
    const counted = new Map(read.map((one) => [nameOf(one), one]));
    for (const hour of read) log.of(hour);
    return [...log.hours.values()].flatMap((logged) => {
      const { medication, time_zone, hour } = logged;
      return COUNTED.flatMap((key): Difference[] => {
        const count = counted.get(nameOf(logged))?.[key] ?? 0;
        const difference = heldAgainst(count, logged[key]);
        if (!difference) return [];
        const { unit } = takenUnit(medication, time_zone, hour);
        const kind = `${medication}, ${time_zone === ALL_ZONES ? 'all zones' : time_zone}: ${key}`;
        return [{ tier: 'tags', bucket: hour, kind, ...difference, unit }];
      });
    });
  }

  /** @param range hours of the wall clock, written as if they were UTC. */
  read({ from, to }: { from: Date; to: Date }): Promise<TaggedCount[]> {
    return this.collections
      .existing(TAKEN)
      .aggregate<TaggedCount>(
        [
          { $match: { date: { $in: spansBetween('month', from, to) } } },
          { $unwind: '$days' },
          { $match: { 'days.date': { $gte: startOf('day', from), $lt: to } } },
          { $unwind: '$days.hours' },
          {
            $match: {
              'days.hours.date': { $gte: from, $lt: to },
              $or: COUNTED.map((key) => ({ [`days.hours.${key}`]: { $ne: 0 } })),
            },
          },
          {
            $project: {
              _id: 0,
              medication: 1,
              time_zone: 1,
              hour: '$days.hours.date',
              ...Object.fromEntries(COUNTED.map((key) => [key, `$days.hours.${key}`])),
            },
          },
        ],
        LONG_COMMAND,
      )
      .toArray();
  }
}

const nameOf = ({ medication, time_zone, hour }: TaggedHour): string =>
  JSON.stringify([medication, time_zone, hour.getTime()]);
