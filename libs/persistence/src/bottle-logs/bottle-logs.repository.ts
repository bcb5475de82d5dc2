import {
  type ClosingSeen,
  type CountedAction,
  type CountedHeartbeat,
  DAY_MS,
  mayBePutBack,
  netRemovals,
  type ReportedCounts,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BottleAction, type ActionName } from '../bottle-actions/bottle-action.schema.js';
import { BottleActionsRepository } from '../bottle-actions/bottle-actions.repository.js';
import { BottleHeartbeat } from '../bottle-heartbeats/bottle-heartbeat.schema.js';

/** A bottle and the time from which its log is queried, inclusive. */
export interface Since {
  bottle_id: Types.ObjectId;
  since: Date;
}

/** Bottles of one query, from the earliest time of any of them. */
interface SinceGroup {
  ids: Types.ObjectId[];
  since: Date;
}

/** One removal of pills. */
export interface Removed {
  time: Date;
  pills_taken: number;
}

/** The battery level in a heartbeat. */
export interface BatteryReading {
  /** Receipt time. */
  time: Date;
  /** 0 to 100. */
  percent: number;
}

/** An opening or closing. */
export interface ActionSeen {
  time: Date;
  action: ActionName;
}

/** When an action happened, and when it was received. */
export interface Receipt {
  time: Date;
  received_at: Date;
}

/** Actions that happened so long before a time are not looked for among what was received after it. */
const OLDEST_BACKLOG_MS = 2 * DAY_MS;

interface Found<T> {
  _id: Types.ObjectId;
  found: T[];
}

/**
 * The lab's three queries for a page of bottles at once, covered by the same indexes; `findReceipts`,
 * `findBatteryReadings` and those of counts read documents. With one query per bottle, a check of 10,000 bottles takes
 * several seconds; these take a few hundred milliseconds.
 *
 * Results are keyed by the bottle's id in hex; bottles without a result are left out.
 */
@Injectable()
export class BottleLogsRepository {
  constructor(
    @InjectModel(BottleAction.name) private readonly actions: Model<BottleAction>,
    @InjectModel(BottleHeartbeat.name) private readonly heartbeats: Model<BottleHeartbeat>,
    private readonly documents: BottleActionsRepository,
  ) {}

  /**
   * Each bottle's removals at or after its time, with the pills that were not put back (DOSE-41). One covered query, by the
   * same keys as query 1; of bottles that were closed again soon after a removal, the counts are read.
   */
  async findRemovals(wanted: readonly Since[]): Promise<Map<string, Removed[]>> {
    const found = await this.findClosings(wanted);
    const counted = await this.documents.findPuttingBack(
      wanted.flatMap(({ bottle_id }) =>
        mayBePutBack(found.get(bottle_id.toHexString()) ?? []).map((time) => ({ bottle_id, time })),
      ),
    );
    return new Map(
      [...found].flatMap(([id, closings]) => {
        const removals = netRemovals(closings, counted.get(id) ?? []);
        return removals.length === 0 ? [] : [[id, removals] as const];
      }),
    );
  }

  /** Each bottle's closings at or after its time, covered by the index of query 1. */
  private findClosings(wanted: readonly Since[]): Promise<Map<string, ClosingSeen[]>> {
    return eachSince(
      wanted,
      ({ ids, since }) =>
        this.actions
          .aggregate<Found<ClosingSeen>>([
            { $match: { bottle_id: { $in: ids }, action: 'closed', time: { $gte: since } } },
            {
              $group: { _id: '$bottle_id', found: { $push: { time: '$time', pills_taken: '$pills_taken' } } },
            },
          ])
          .hint('find_missed_dosages')
          .exec(),
      ({ time }) => time,
    );
  }

  /** Query 1: each bottle's removals at or after its time, oldest first. */
  findDosages(wanted: readonly Since[]): Promise<Map<string, Removed[]>> {
    return eachSince(
      wanted,
      ({ ids, since }) =>
        this.actions
          .aggregate<Found<Removed>>([
            {
              $match: {
                bottle_id: { $in: ids },
                action: 'closed',
                pills_taken: { $gt: 0 },
                time: { $gte: since },
              },
            },
            {
              $group: { _id: '$bottle_id', found: { $push: { time: '$time', pills_taken: '$pills_taken' } } },
            },
          ])
          .hint('find_missed_dosages')
          .exec(),
      ({ time }) => time,
    );
  }

  /** Query 2: each bottle's last action at or after its time; of several at one instant, a closing counts as last. */
  async findLastActions(wanted: readonly Since[]): Promise<Map<string, ActionSeen>> {
    const found = await this.findActions(wanted);
    return new Map([...found].map(([id, actions]) => [id, actions.reduce(later)]));
  }

  /** Each bottle's openings and closings at or after its time, covered by the index of query 2. */
  findActions(wanted: readonly Since[]): Promise<Map<string, ActionSeen[]>> {
    return eachSince(
      wanted,
      ({ ids, since }) =>
        this.actions
          .aggregate<Found<ActionSeen>>([
            { $match: { bottle_id: { $in: ids }, time: { $gte: since } } },
            { $group: { _id: '$bottle_id', found: { $push: { time: '$time', action: '$action' } } } },
          ])
          .hint('find_open_bottles')
          .exec(),
      ({ time }) => time,
    );
  }

  /** Query 3: the times of each bottle's heartbeats at or after its time, and up to `to` if given. */
  findHeartbeats(wanted: readonly Since[], to?: Date): Promise<Map<string, Date[]>> {
    return eachSince(
      wanted,
      ({ ids, since }) =>
        this.heartbeats
          .aggregate<Found<Date>>([
            { $match: { bottle_id: { $in: ids }, time: { $gte: since, ...(to ? { $lte: to } : {}) } } },
            { $group: { _id: '$bottle_id', found: { $push: '$time' } } },
          ])
          .hint('find_last_heartbeat')
          .exec(),
      (time) => time,
    );
  }

  /** Each bottle's battery readings at or after its moment, oldest first. Reads documents: ask for few bottles. */
  findBatteryReadings(wanted: readonly Since[]): Promise<Map<string, BatteryReading[]>> {
    return eachSince(
      wanted,
      ({ ids, since }) =>
        this.heartbeats
          .aggregate<Found<BatteryReading>>([
            {
              $match: { bottle_id: { $in: ids }, time: { $gte: since }, battery_percent: { $exists: true } },
            },
            {
              $group: { _id: '$bottle_id', found: { $push: { time: '$time', percent: '$battery_percent' } } },
            },
          ])
          .hint('find_last_heartbeat')
          .exec(),
      ({ time }) => time,
    );
  }

  /**
   * What each bottle counted from its time up to `to`, in its actions and, if it counts by itself, in heartbeats. Reads
   * documents: ask for few bottles.
   */
  async findCounts(wanted: readonly Since[], to: Date): Promise<Map<string, ReportedCounts>> {
    const actions = eachSince(
      wanted,
      ({ ids, since }) =>
        this.actions
          .aggregate<Found<CountedAction>>([
            { $match: { bottle_id: { $in: ids }, time: { $gte: since } } },
            {
              $group: {
                _id: '$bottle_id',
                found: {
                  $push: {
                    time: '$time',
                    action: '$action',
                    number_of_pills: '$number_of_pills',
                    pills_taken: '$pills_taken',
                  },
                },
              },
            },
          ])
          .hint('find_open_bottles')
          .exec(),
      ({ time }) => time,
    );
    const [heartbeats, counted] = await Promise.all([this.findHeartbeatCounts(wanted, to), actions]);
    return new Map(
      [...new Set([...heartbeats.keys(), ...counted.keys()])].map((id) => [
        id,
        { heartbeats: heartbeats.get(id) ?? [], actions: counted.get(id) ?? [] },
      ]),
    );
  }

  /** What each bottle's heartbeats counted from its time up to `to`. Reads documents: ask for few bottles. */
  findHeartbeatCounts(wanted: readonly Since[], to: Date): Promise<Map<string, CountedHeartbeat[]>> {
    return eachSince(
      wanted,
      ({ ids, since }) =>
        this.heartbeats
          .aggregate<Found<CountedHeartbeat>>([
            {
              $match: {
                bottle_id: { $in: ids },
                time: { $gte: since, $lte: to },
                number_of_pills: { $exists: true },
              },
            },
            {
              $group: {
                _id: '$bottle_id',
                found: { $push: { time: '$time', number_of_pills: '$number_of_pills' } },
              },
            },
          ])
          .hint('find_last_heartbeat')
          .exec(),
      ({ time }) => time,
    );
  }

  /**
   * When each bottle's actions that were received at or after its time happened and were received, without those that had
   * happened more than two days before that time. The lab's index does not contain the receipt time, so each document is
   * read: pass few bottles.
   */
  findReceipts(wanted: readonly Since[]): Promise<Map<string, Receipt[]>> {
    return eachSince(
      wanted,
      ({ ids, since }) =>
        this.actions
          .aggregate<Found<Receipt>>([
            {
              $match: {
                bottle_id: { $in: ids },
                time: { $gte: new Date(since.getTime() - OLDEST_BACKLOG_MS) },
                received_at: { $gte: since },
              },
            },
            {
              $group: { _id: '$bottle_id', found: { $push: { time: '$time', received_at: '$received_at' } } },
            },
          ])
          .hint('find_open_bottles')
          .exec(),
      ({ received_at }) => received_at,
    );
  }
}

function later(one: ActionSeen, other: ActionSeen): ActionSeen {
  const apart = one.time.getTime() - other.time.getTime();
  return apart > 0 || (apart === 0 && one.action === 'closed') ? one : other;
}

async function eachSince<T>(
  wanted: readonly Since[],
  find: (group: SinceGroup) => Promise<Found<T>[]>,
  timeOf: (entry: T) => Date,
): Promise<Map<string, T[]>> {
  const sinceOf = new Map(wanted.map(({ bottle_id, since }) => [bottle_id.toHexString(), since]));
  const found = (await Promise.all(byDay(wanted).map(find))).flat();
  return new Map(
    found.flatMap(({ _id, found: entries }) => {
      const id = _id.toHexString();
      const asked = entries.filter((entry) => timeOf(entry) >= sinceOf.get(id)!);
      return asked.length === 0 ? [] : [[id, asked] as const];
    }),
  );
}

/**
 * Groups bottles by the day of their times: the query of a group reads at most one day too much of each bottle, even if
 * one bottle of a page is weeks behind the others.
 */
function byDay(wanted: readonly Since[]): SinceGroup[] {
  const groups = new Map<number, SinceGroup>();
  for (const { bottle_id, since } of wanted) {
    const day = Math.floor(since.getTime() / DAY_MS);
    const group = groups.get(day) ?? { ids: [], since };
    group.ids.push(bottle_id);
    if (since < group.since) group.since = since;
    groups.set(day, group);
  }
  return [...groups.values()];
}
