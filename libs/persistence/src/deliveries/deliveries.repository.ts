import { NOTIFICATION_EVENTS, notificationEventFacts } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { ofAlerts, type OwnersPart } from '../database/owners-part.js';
import { type Claim, newClaim, unclaimed } from '../database/claim.js';
import { NO_CANARY } from '../canaries/canaries.js';
import { countByMinute, type MinuteCount } from '../database/count-by-minute.js';
import { type HistoryRange, newestFirst } from '../database/history.js';
import { behind } from '../database/keyset.js';
import { insertEach, updateEach } from '../database/write-each.js';
import { type Address, Delivery, type Attempt, type DeliveryFilter, NO_RESULT } from './delivery.schema.js';

/** A page of deliveries, newest first. */
export interface DeliveryPage {
  status?: DeliveryFilter;
  alert_id?: Types.ObjectId;
  /** Created from then on, and before then. */
  from?: Date;
  to?: Date;
  before?: { time: Date; id: string } | undefined;
  limit: number;
}

/** How a channel fares. */
export interface ChannelHealth {
  deliveredAt?: Date;
  failed: number;
}

const HEALTH_READ = 200;

/** How an attempt, or the decision not to make one, leaves a delivery. */
export type DeliveryResult =
  | { kind: 'delivered'; attempt: Attempt; toPerson: boolean }
  | { kind: 'retry'; attempt: Attempt; next_attempt_at: Date; retry_early_from?: Date | undefined }
  | { kind: 'dead'; attempt?: Attempt; reason: string }
  | { kind: 'cancelled'; reason: string }
  | { kind: 'postponed'; next_attempt_at: Date; reason: string; throttled?: true }
  | { kind: 'moved'; to: Address; at: Date };

/** The start of an attempt to deliver a claimed notification. */
export interface StartedAttempt {
  id: string;
  claim: Claim;
  at: Date;
  /** Before its backoff is over. */
  early?: true;
  /** When it is tried again if this attempt has no result. */
  next_attempt_at: Date;
}

/** The result of a claimed notification. */
export interface ClaimedResult {
  id: string;
  claim: Claim;
  /** How many attempts it had when it was claimed. */
  attempts: number;
  result: DeliveryResult;
}

/** The notifications that a claim won: this notifier's until the lease runs out. */
export interface ClaimedDeliveries {
  claim: Claim;
  deliveries: Delivery[];
  /** How many were due; more than were won if other notifiers claimed at the same time. */
  found: number;
}

/** What decides to which summary a notification belongs. */
type SummaryPart = Pick<Delivery, 'event' | 'recipient' | 'bottle_id'>;

const SUMMARIZED = NOTIFICATION_EVENTS.filter((event) => notificationEventFacts(event).summarizes);
const isPartOfSummary = ({ event }: SummaryPart): boolean => SUMMARIZED.includes(event);

/** A person gets one summary, the operator one of each bottle. */
const whereSummary = ({ event, recipient, bottle_id }: SummaryPart): Partial<SummaryPart> =>
  recipient === 'operator' ? { event, recipient, bottle_id } : { event, recipient };
const summaryOf = (part: SummaryPart): string => JSON.stringify(whereSummary(part));

/** Of an update with a pipeline: the attempts begin anew, and the earlier ones stay on record. */
const ANEW = {
  attempts: [],
  earlier_attempts: { $concatArrays: [{ $ifNull: ['$earlier_attempts', []] }, '$attempts'] },
};

/** The outbox: every query on `deliveries`. */
@Injectable()
export class DeliveriesRepository {
  constructor(@InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>) {}

  /** Adds notifications to the outbox; leaves those that are there already. */
  async enqueue(deliveries: Delivery[]): Promise<void> {
    await insertEach(this.deliveries.collection, deliveries);
  }

  /**
   * Claims up to `limit` due notifications of a channel for the time of the lease, longest due first. A claimed
   * notification has `next_attempt_at` at the end of its lease, so that the index of due ones does not contain it.
   *
   * @param skip how many to pass over, under contention with other notifiers.
   */
  async claimDue(
    channel: string,
    now: Date,
    leaseMs: number,
    limit: number,
    skip = 0,
  ): Promise<ClaimedDeliveries> {
    const claim = newClaim(now, leaseMs);
    const due = {
      channel,
      next_attempt_at: { $lte: now },
      $or: unclaimed('claim', now),
    };
    const found = await this.deliveries
      .find(due, { _id: 1, event: 1, recipient: 1, bottle_id: 1 })
      .sort({ next_attempt_at: 1 })
      .skip(skip)
      .limit(limit)
      .lean<(SummaryPart & { _id: string })[]>();
    if (found.length === 0) return { claim, deliveries: [], found: 0 };
    const take = async (ids: string[]): Promise<void> => {
      await this.deliveries.updateMany(
        { ...due, _id: { $in: ids } },
        { $set: { claim, next_attempt_at: claim.until }, $unset: { retry_early_from: '' } },
      );
    };
    const summaries = await this.findSummaries(found.filter(isPartOfSummary), channel, now, claim);
    // who has the first of a summary has all of it
    const firsts = summaries.map(([first]) => first!);
    const single = found.filter((one) => !isPartOfSummary(one)).map(({ _id }) => _id);
    const ids = [...single, ...summaries.flat()];
    await take([...single, ...firsts]);
    if (summaries.length > 0) {
      const won = await this.deliveries.distinct('_id', { _id: { $in: firsts }, 'claim.token': claim.token });
      await take(summaries.filter(([first]) => won.includes(first!)).flat());
    }
    const deliveries = await this.deliveries
      .find({ _id: { $in: ids }, 'claim.token': claim.token })
      .sort({ created_at: 1 })
      .lean<Delivery[]>();
    return { claim, deliveries, found: ids.length };
  }

  /**
   * The ids of all that is due of the summaries that these are parts of, each by itself: a summary is one message,
   * however the pages fall. One of which a notifier has claimed a part is left out: that notifier takes the rest.
   */
  private async findSummaries(
    parts: SummaryPart[],
    channel: string,
    now: Date,
    { until }: Claim,
  ): Promise<string[][]> {
    const wanted = new Map(parts.map((part) => [summaryOf(part), part]));
    if (wanted.size === 0) return [];
    const members = await this.deliveries
      .find(
        {
          channel,
          event: { $in: SUMMARIZED },
          next_attempt_at: { $lte: until },
          $or: [...wanted.values()].map(whereSummary),
        },
        { event: 1, recipient: 1, bottle_id: 1, next_attempt_at: 1, claim: 1 },
      )
      .hint('due_by_channel')
      .sort({ _id: 1 })
      .lean<Delivery[]>();
    return [...wanted.keys()]
      .map((key) => members.filter((member) => summaryOf(member) === key))
      .filter((all) => all.every(({ claim }) => claim === undefined || claim.until <= now))
      .map((all) => all.filter(({ next_attempt_at }) => next_attempt_at! <= now).map(({ _id }) => _id))
      .filter((ids) => ids.length > 0);
  }

  /**
   * The parts of summaries about these bottles that were queued after a moment, are due after another, and that nobody
   * has attempted.
   *
   * @param claim without those that are claimed by it
   */
  findFreshSummaries(
    bottleIds: Types.ObjectId[],
    { since, dueAfter, claim }: { since: Date; dueAfter: Date; claim: Claim },
  ): Promise<Delivery[]> {
    return this.deliveries
      .find({
        bottle_id: { $in: bottleIds },
        created_at: { $gt: since },
        event: 'summary',
        next_attempt_at: { $gt: dueAfter },
        'attempts.0': { $exists: false },
        'claim.token': { $ne: claim.token },
      })
      .hint('by_bottle_and_time')
      .lean<Delivery[]>();
  }

  /**
   * Records attempts before they begin: one whose notifier is killed or hangs is spent like any other, and the message
   * waits for its backoff.
   *
   * @returns the ids of the notifications whose claim holds; the others must not be sent.
   */
  async recordStarts(starts: readonly StartedAttempt[]): Promise<ReadonlySet<string>> {
    // notifications that are sent together begin at one time: one update serves them
    const groups = new Map<string, { first: StartedAttempt; ids: string[] }>();
    for (const start of starts) {
      const key = `${start.claim.token} ${start.at.getTime()} ${start.next_attempt_at.getTime()} ${start.early}`;
      const group = groups.get(key);
      if (group) group.ids.push(start.id);
      else groups.set(key, { first: start, ids: [start.id] });
    }
    const { matchedCount } = await this.deliveries.collection.bulkWrite(
      [...groups.values()].map(({ first: { claim, at, early, next_attempt_at }, ids }) => ({
        updateMany: {
          filter: { _id: { $in: ids as never[] }, 'claim.token': claim.token },
          update: {
            $push: {
              attempts: { at, ok: false, error: NO_RESULT, ...(early && { early }) } satisfies Attempt,
            },
            $set: { next_attempt_at },
            $unset: { early: '' },
          } as never,
        },
      })),
      { ordered: false },
    );
    const ids = starts.map(({ id }) => id);
    if (matchedCount === starts.length) return new Set(ids);
    const tokens = [...new Set(starts.map(({ claim }) => claim.token))];
    const held = await this.deliveries
      .find({ _id: { $in: ids }, 'claim.token': { $in: tokens } }, { _id: 1 })
      .lean<{ _id: string }[]>();
    return new Set(held.map(({ _id }) => _id));
  }

  /**
   * Writes the results of claimed notifications; does nothing where the lease was lost. What moves to an address for
   * which the same is queued already is cancelled.
   */
  async recordResults(results: readonly ClaimedResult[]): Promise<void> {
    const refused = await this.writeResults(results);
    const cancelled = { kind: 'cancelled', reason: 'the same goes to another address' } as const;
    const moved = refused.filter(({ result }) => result.kind === 'moved');
    const again = await this.writeResults(moved.map((one) => ({ ...one, result: cancelled })));
    const left = refused.length - moved.length + again.length;
    if (left > 0) throw new Error(`the database refused the results of ${left} notifications`);
  }

  /** @returns those that the database refused, each by itself. */
  private async writeResults(results: readonly ClaimedResult[]): Promise<ClaimedResult[]> {
    const { refused } = await updateEach<ClaimedResult, Delivery>(
      this.deliveries.collection,
      results,
      ({ id, claim, attempts, result }) => ({
        updateOne: {
          filter: { _id: id, 'claim.token': claim.token },
          hint: '_id_',
          update: updateOf(result, attempts),
        },
      }),
    );
    return refused;
  }

  /** Releases claimed notifications without an attempt: the next notifier sends them at once. */
  async release(ids: string[], claim: Claim, now: Date): Promise<void> {
    await this.deliveries.updateMany(
      { _id: { $in: ids }, 'claim.token': claim.token },
      { $set: { next_attempt_at: now }, $unset: { claim: '' } },
    );
  }

  /** For each channel since when its longest due notification is due, unless none is. A covered query per channel. */
  async findOldestDue(now: Date): Promise<Map<string, Date>> {
    const oldest = new Map<string, Date>();
    for (let channel = ''; ;) {
      const next = await this.deliveries
        .findOne(
          { channel: { $gt: channel }, next_attempt_at: { $lte: now } },
          { _id: 0, channel: 1, next_attempt_at: 1 },
        )
        .hint('due_by_channel')
        .sort({ channel: 1, next_attempt_at: 1 })
        .lean<Delivery>();
      if (!next) return oldest;
      ({ channel } = next);
      oldest.set(channel, next.next_attempt_at!);
    }
  }

  /**
   * For each channel when it last delivered one of the newest notifications, and how many of those that were created
   * since then are dead. Reads at most {@link HEALTH_READ} of each.
   */
  async findHealth(since: Date): Promise<Map<string, ChannelHealth>> {
    const newest = (filter: QueryFilter<Delivery>) =>
      this.deliveries
        .find(filter, { channel: 1, 'attempts.at': 1 })
        .hint('by_status')
        .sort({ created_at: -1, _id: -1 })
        .limit(HEALTH_READ)
        .lean<Pick<Delivery, 'channel' | 'attempts'>[]>();
    const [delivered, dead] = await Promise.all([
      newest({ status: 'delivered' }),
      newest({ status: 'dead', created_at: { $gte: since } }),
    ]);
    const health = new Map<string, ChannelHealth>();
    const of = (channel: string): ChannelHealth =>
      health.get(channel) ?? health.set(channel, { failed: 0 }).get(channel)!;
    for (const { channel, attempts } of delivered) {
      const at = attempts.at(-1)?.at;
      const { deliveredAt } = of(channel);
      if (at && (!deliveredAt || at > deliveredAt)) of(channel).deliveredAt = at;
    }
    for (const { channel } of dead) of(channel).failed += 1;
    return health;
  }

  /** Whether something waits for the receiver of a channel that was not available. */
  async awaitsReceiver(channel: string, now: Date): Promise<boolean> {
    return (await this.deliveries.exists(awaitingReceiver(channel, now)).hint('awaits_receiver')) !== null;
  }

  /**
   * Makes due what waits for the receiver of a channel, longest waiting first: `perSecond` now, and as many in each
   * further second.
   *
   * @returns how many were found.
   */
  async bringForward(
    channel: string,
    now: Date,
    { limit, perSecond }: { limit: number; perSecond: number },
  ): Promise<number> {
    const awaiting = awaitingReceiver(channel, now);
    const found = await this.deliveries
      .find(awaiting, { _id: 1 })
      .hint('awaits_receiver')
      .sort({ retry_early_from: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>();
    await this.makeDue(
      found.map(({ _id }) => _id),
      { filter: awaiting, set: { early: true }, now, perSecond },
    );
    return found.length;
  }

  /**
   * Makes due what failed and waits for its next attempt, longest waiting first, at the same limited rate. Leaves what
   * waits for another reason, such as quiet hours.
   *
   * @returns what it made due.
   */
  async sendPending(
    now: Date,
    { limit, perSecond }: { limit: number; perSecond: number },
  ): Promise<Pick<Delivery, '_id' | 'bottle_id'>[]> {
    const filter = {
      status: 'pending' as const,
      'attempts.0': { $exists: true },
      reason: { $exists: false },
      bottle_id: NO_CANARY,
      $or: unclaimed('claim', now),
    };
    const found = await this.deliveries
      .find({ ...filter, next_attempt_at: { $gt: now } }, { bottle_id: 1 })
      .hint('by_status')
      .sort({ created_at: 1, _id: 1 })
      .limit(limit)
      .lean<Pick<Delivery, '_id' | 'bottle_id'>[]>();
    await this.makeDue(
      found.map(({ _id }) => _id),
      { filter, set: {}, now, perSecond },
    );
    return found;
  }

  /** Makes these due: `perSecond` now, and as many in each further second. */
  private async makeDue(
    ids: string[],
    { filter, set, now, perSecond }: { filter: object; set: object; now: Date; perSecond: number },
  ): Promise<void> {
    if (ids.length === 0) return;
    const groups = Array.from({ length: Math.ceil(ids.length / perSecond) }, (_, second) => ({
      next_attempt_at: new Date(now.getTime() + second * 1_000),
      group: ids.slice(second * perSecond, (second + 1) * perSecond),
    }));
    await this.deliveries.collection.bulkWrite(
      groups.map(({ next_attempt_at, group }) => ({
        updateMany: {
          // one that was claimed meanwhile waits no longer
          filter: { ...filter, _id: { $in: group as never[] } },
          update: { $set: { next_attempt_at, ...set }, $unset: { retry_early_from: '' } } as never,
        },
      })),
      { ordered: false },
    );
  }

  /** When these recipients were sent something over a channel since then, oldest first. A covered query. */
  async findSentSince(channel: string, recipients: string[], since: Date): Promise<Map<string, Date[]>> {
    const found = await this.deliveries
      .find(
        { recipient: { $in: recipients }, channel, told_at: { $gt: since } },
        { _id: 0, recipient: 1, told_at: 1 },
      )
      .sort({ told_at: 1 })
      .lean<Pick<Delivery, 'recipient' | 'told_at'>[]>();
    const sent = new Map<string, Date[]>();
    for (const { recipient, told_at } of found)
      if (!sent.get(recipient)?.push(told_at!)) sent.set(recipient, [told_at!]);
    return sent;
  }

  findById(id: string): Promise<Delivery | null> {
    return this.deliveries.findById(id).lean<Delivery>();
  }

  /** The notifications about these alerts, in the order in which they were created. */
  findByAlerts(alertIds: Types.ObjectId[]): Promise<Delivery[]> {
    return this.deliveries
      .find({ alert_id: { $in: alertIds } })
      .sort({ created_at: 1, _id: 1 })
      .lean<Delivery[]>();
  }

  /** A bottle's notifications, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange<string>): Promise<Delivery[]> {
    return newestFirst(this.deliveries, { field: 'created_at', hint: 'by_bottle_and_time' }, bottleId, range);
  }

  /** A page of the notifications about several bottles, newest first. Each bottle's are a range of the index. */
  findPageOfBottles(
    bottleIds: Types.ObjectId[],
    { status, before, limit, ...range }: Omit<DeliveryPage, 'alert_id'>,
  ): Promise<Delivery[]> {
    const ofEach = bottleIds.flatMap((bottle_id): QueryFilter<Delivery>[] => {
      const filter = behind<Delivery>(
        { bottle_id, ...ofStatus(status), ...createdIn(range) },
        'created_at',
        before,
      );
      return (filter.$or ?? [filter]) as QueryFilter<Delivery>[];
    });
    return this.findNewest(ofEach, limit);
  }

  /** A page of the notifications about these alerts, newest first. */
  findPageOfAlerts(
    alertIds: Types.ObjectId[],
    { status, before, limit, ...range }: Omit<DeliveryPage, 'alert_id'>,
  ): Promise<Delivery[]> {
    if (alertIds.length === 0) return Promise.resolve([]);
    const of = behind<Delivery>(
      { alert_id: { $in: alertIds }, ...ofStatus(status), ...createdIn(range) },
      'created_at',
      before,
    );
    return this.findNewest([of], limit);
  }

  private async findNewest(branches: QueryFilter<Delivery>[], limit: number): Promise<Delivery[]> {
    if (branches.length === 0) return [];
    return this.deliveries
      .find({ $or: branches })
      .sort({ created_at: -1, _id: -1 })
      .limit(limit)
      .lean<Delivery[]>();
  }

  /** A page of notifications, newest first, by status or of an alert; without those of canaries unless it is of one. */
  findPage({ status, alert_id, before, limit, ...range }: DeliveryPage): Promise<Delivery[]> {
    const filter = {
      ...ofStatus(status),
      ...(alert_id ? { alert_id } : { bottle_id: NO_CANARY }),
      ...createdIn(range),
    };
    const page = this.deliveries
      .find(behind<Delivery>(filter, 'created_at', before))
      .sort({ created_at: -1, _id: -1 })
      .limit(limit);
    // an alert has few notifications: sorting them is cheaper than scanning by time
    if (alert_id) return page.hint('one_message').lean<Delivery[]>();
    return (status === 'held' ? page.hint('held') : page).lean<Delivery[]>();
  }

  /** How many dead notifications these alerts have, by the alert's id; alerts without one are absent. */
  async countDead(alertIds: Types.ObjectId[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    if (alertIds.length === 0) return counts;
    const dead = await this.deliveries
      .find({ alert_id: { $in: alertIds }, status: 'dead' }, { _id: 0, alert_id: 1 })
      .hint('dead_by_alert')
      .lean<Pick<Delivery, 'alert_id'>[]>();
    for (const { alert_id } of dead) {
      const key = alert_id.toHexString();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  /** Replays a dead notification now, with all attempts; the earlier ones stay on record. Null when it is not dead. */
  replay(id: string, now: Date): Promise<Delivery | null> {
    return this.deliveries
      .findOneAndUpdate(
        { _id: id, status: 'dead' },
        [
          {
            $set: {
              status: 'pending',
              next_attempt_at: now,
              ...ANEW,
            },
          },
          { $unset: 'reason' },
        ],
        { returnDocument: 'after', updatePipeline: true },
      )
      .lean<Delivery>();
  }

  /** How many notifications were created in [from, to), by minute and status. */
  countByMinute(from: Date, to: Date): Promise<MinuteCount[]> {
    const counted = { time: 'created_at', key: 'status', hint: 'by_time', byBottle: 'by_bottle_and_time' };
    return countByMinute(this.deliveries.collection, counted, from, to);
  }

  /** All notifications of a bottle without their claims, oldest first, as a stream: for an export. */
  ofBottle(bottleId: Types.ObjectId, part?: OwnersPart): AsyncIterable<Omit<Delivery, 'claim'>> {
    return this.deliveries.collection
      .find<Omit<Delivery, 'claim'>>({ bottle_id: bottleId, ...ofAlerts(part) }, { projection: { claim: 0 } })
      .hint('by_bottle_and_time')
      .sort({ created_at: 1 });
  }

  countOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<number> {
    return this.deliveries.countDocuments({ bottle_id: bottleId, ...ofAlerts(part) });
  }

  async deleteOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<void> {
    await this.deliveries.deleteMany({ bottle_id: bottleId, ...ofAlerts(part) });
  }
}

function ofStatus(status: DeliveryFilter | undefined): QueryFilter<Delivery> {
  if (status === 'held') return { status: 'pending', reason: { $exists: true } };
  return status ? { status } : {};
}

/** Without those of canaries: the watchdogs are other receivers. */
function awaitingReceiver(channel: string, now: Date): object {
  return { channel, retry_early_from: { $lte: now }, bottle_id: NO_CANARY };
}

/** @param attempts how many came before; the one that this result ends was recorded after them when it began. */
function updateOf(result: DeliveryResult, attempts: number): Record<string, unknown> | object[] {
  const free = { claim: '' };
  const attempt =
    'attempt' in result && result.attempt !== undefined ? { [`attempts.${attempts}`]: result.attempt } : {};
  switch (result.kind) {
    case 'delivered':
      return {
        $set: { status: 'delivered', ...attempt, ...(result.toPerson ? { told_at: result.attempt.at } : {}) },
        $unset: { ...free, next_attempt_at: '' },
      };
    case 'retry':
      return {
        $set: {
          next_attempt_at: result.next_attempt_at,
          ...attempt,
          ...(result.retry_early_from ? { retry_early_from: result.retry_early_from } : {}),
        },
        $unset: { ...free, reason: '' },
      };
    case 'dead':
      return {
        $set: { status: 'dead', reason: result.reason, ...attempt },
        $unset: { ...free, next_attempt_at: '' },
      };
    case 'cancelled':
      return {
        $set: { status: 'cancelled', reason: result.reason },
        $unset: { ...free, next_attempt_at: '' },
      };
    case 'postponed':
      return {
        $set: {
          next_attempt_at: result.next_attempt_at,
          reason: result.reason,
          ...(result.throttled ? { throttled: true } : {}),
        },
        $unset: free,
      };
    case 'moved':
      // attempts at the new address are counted from the start
      return [
        {
          $set: {
            moved_from: {
              $concatArrays: [
                { $ifNull: ['$moved_from', []] },
                [{ recipient: '$recipient', channel: '$channel' }],
              ],
            },
            ...ANEW,
            recipient: result.to.recipient,
            channel: result.to.channel,
            next_attempt_at: result.at,
          },
        },
        { $unset: ['claim', 'reason', 'retry_early_from', 'early'] },
      ];
  }
}

function createdIn({ from, to }: Pick<DeliveryPage, 'from' | 'to'>): QueryFilter<Delivery> {
  return (from ?? to) ? { created_at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {};
}
