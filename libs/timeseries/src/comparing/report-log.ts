import { zoneAt } from '#domain';
import {
  type Bottle,
  type BottleAction,
  BottleActionsRepository,
  type BottleHeartbeat,
  BottleHeartbeatsRepository,
  BottlesRepository,
  type IdRange,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportKey } from '../counting/reports.js';
import type { Removal } from '../counting/taken.js';
import { MINUTE, SECOND, startOf } from '../time/units.js';

const PAGE = 500;
/** What was received this short a time ago may be in the log and on its way to the counts. Milliseconds. */
const ON_ITS_WAY = 10 * SECOND;

/** How often something is in the log. Reports on their way to the counts may be in the log and not yet counted. */
export interface Logged {
  /** Of those received before a given moment: so many have to be counted. */
  least: number;
  /** Of all: no more can be counted. */
  most: number;
}

/** How often a minute (UTC) has a key. */
export interface MinuteLog extends Logged {
  minute: Date;
  key: string;
}

/** What some bottles did, and what they are. */
export interface LogPage {
  bottles: Bottle[];
  actions: BottleAction[];
}

/** A removal as it is counted by its tags, and when we heard of it. */
export interface LoggedRemoval extends Removal {
  received_at: Date;
}

/**
 * Reads the logs for comparing and counting anew. Heartbeats are counted on the TTL index alone; actions have no
 * index by time (the lab has none), so the fleet is walked, a page of bottles at a time.
 */
@Injectable()
export class ReportLog {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
  ) {}

  /**
   * Page by page of the fleet, or of a range of it: its actions of [from, to).
   *
   * @param rate no more bottles a second, however quick the database answers.
   */
  async *walk(
    from: Date,
    to: Date,
    rate = Number.POSITIVE_INFINITY,
    range: IdRange = {},
  ): AsyncGenerator<LogPage> {
    for (let { after } = range; ;) {
      const begun = performance.now();
      const bottles = await this.bottles.findPageAfter({ ...range, ...(after && { after }) }, PAGE);
      const ids = bottles.map(({ _id }) => _id);
      if (ids.length > 0) yield { bottles, actions: await this.actions.findOfBottles(ids, from, to) };
      after = ids.at(-1);
      if (ids.length < PAGE) return;
      const pause = (1_000 * ids.length) / rate - (performance.now() - begun);
      if (pause > 0) await sleep(pause);
    }
  }

  /** The heartbeats of some bottles in [from, to). */
  heartbeatsOf(bottles: readonly Bottle[], from: Date, to: Date): Promise<BottleHeartbeat[]> {
    const ids = bottles.map(({ _id }) => _id);
    return this.heartbeats.findOfBottles(ids, from, to);
  }

  /** All that some bottles reported in [from, to). */
  async reportsOf(
    bottles: readonly Bottle[],
    from: Date,
    to: Date,
  ): Promise<(BottleAction | BottleHeartbeat)[]> {
    const ids = bottles.map(({ _id }) => _id);
    const [actions, heartbeats] = await Promise.all([
      this.actions.findOfBottles(ids, from, to),
      this.heartbeats.findOfBottles(ids, from, to),
    ]);
    return [...actions, ...heartbeats];
  }

  /** Heartbeats of [from, to) by minute. */
  async heartbeatMinutes(from: Date, to: Date, receivedBefore: Date): Promise<MinuteLog[]> {
    const middle = new Date(Math.min(Math.max(from.getTime(), receivedBefore.getTime()), to.getTime()));
    const [sure, rest] = await Promise.all([
      this.heartbeats.countByMinute(from, middle),
      this.heartbeats.countByMinute(middle, to),
    ]);
    const key = 'heartbeats' satisfies ReportKey;
    return [
      ...sure.map(({ minute, count }) => ({ minute, key, least: count, most: count })),
      ...rest.map(({ minute, count }) => ({ minute, key, least: 0, most: count })),
    ];
  }
}

/** What was received before this and is in the log has been counted. */
export function settledBefore(now: Date): Date {
  return new Date(now.getTime() - ON_ITS_WAY);
}

/** What actions add to the keys of their minutes. */
export function actionMinutes(actions: readonly BottleAction[], receivedBefore: Date): MinuteLog[] {
  const minutes = new Map<string, MinuteLog>();
  const add = (minute: Date, key: ReportKey, amount: number, received: boolean): void => {
    if (amount === 0) return;
    const name = `${key} ${minute.getTime() / MINUTE}`;
    const known = minutes.get(name) ?? { minute, key, least: 0, most: 0 };
    known.most += amount;
    if (received) known.least += amount;
    minutes.set(name, known);
  };
  for (const { time, action, pills_taken = 0, received_at } of actions) {
    const [minute, received] = [startOf('minute', time), received_at < receivedBefore];
    add(minute, action, 1, received);
    add(minute, 'pills_taken', pills_taken, received);
  }
  return [...minutes.values()];
}

/** The removals of a page, each with the zone where its bottle was then. */
export function removalsOf({ bottles, actions }: LogPage): LoggedRemoval[] {
  const byId = new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle]));
  return actions.flatMap(({ bottle_id, time, medication, pills_taken = 0, received_at }) => {
    const bottle = byId.get(bottle_id.toHexString());
    if (!bottle || pills_taken <= 0) return [];
    return [{ time, medication, pills_taken, received_at, time_zone: zoneAt(bottle, time) }];
  });
}
