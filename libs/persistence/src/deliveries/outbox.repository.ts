import {
  type Attempt,
  type DeliveryResult,
  groupBy,
  isSummarized,
  NO_RESULT,
  type NotificationEvent,
  SUMMARIZED_EVENTS,
  summaryFields,
  type SummaryPart as PartOfSummary,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { type Claim, newClaim, unclaimed } from '../database/claim.js';
import { insertEach, onceMore, updateEach } from '../database/write-each.js';
import { Delivery } from './delivery.schema.js';
import { ANEW, toDeliveryUpdate } from './delivery-update.js';

/** The start of an attempt to deliver a claimed notification. */
export interface StartedAttempt {
  id: string;
  claim: Claim;
  at: Date;
  /** Before its backoff is over. */
  early?: true;
  /** See {@link Attempt}. */
  address?: string;
  /** See {@link Attempt}. */
  doses?: readonly Date[];
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

type SummaryPart = PartOfSummary<Types.ObjectId>;
/** A notification at the further addresses to which its result brings it. */
const copiesOf = ({ result }: ClaimedResult): Delivery[] =>
  ('copies' in result && (result.copies as Delivery[])) || [];
/** Equal for results that one update writes. What moves may be refused, so each moves by itself. */
const equalResults = ({ id, claim, attempts, result }: ClaimedResult): string =>
  result.kind === 'moved' ? id : JSON.stringify([claim.token, attempts, { ...result, copies: undefined }]);
const summaryOf = (part: SummaryPart): string => JSON.stringify(summaryFields(part));

/** The outbox: queues notifications, claims those that are due, and records what became of them. */
@Injectable()
export class OutboxRepository {
  constructor(@InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>) {}

  /** Adds notifications to the outbox; leaves those that are there already. */
  async enqueue(deliveries: Delivery[]): Promise<void> {
    await insertEach(this.deliveries.collection, deliveries);
  }

  /** Over which of these channels something is due: one key of the index for each. */
  async findDueChannels(channels: readonly string[], now: Date): Promise<ReadonlySet<string>> {
    const due = { channel: { $in: channels }, next_attempt_at: { $lte: now } };
    return new Set(await this.deliveries.distinct('channel', due));
  }

  /**
   * Claims up to `limit` due notifications of a channel for the time of the lease, longest due first; when there are
   * more, calls for help by themselves before all others. A claimed notification has `next_attempt_at` at the end of its
   * lease, so that the index of due ones does not contain it.
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
    const find = (wanted: object, passOver: number, index: string) =>
      this.deliveries
        .find(wanted, { _id: 1, event: 1, recipient: 1, bottle_id: 1 })
        .hint(index)
        .sort({ next_attempt_at: 1 })
        .skip(passOver)
        .limit(limit)
        .lean<(SummaryPart & { _id: string })[]>();
    const longest = await find(due, skip, 'due_by_channel');
    const calls =
      longest.length < limit ? [] : await find({ ...due, kind: 'help_requested' }, 0, 'due_calls_by_channel');
    const found = calls.length > 0 ? calls : longest;
    if (found.length === 0) return { claim, deliveries: [], found: 0 };
    const take = async (ids: string[]): Promise<void> => {
      await this.deliveries.updateMany(
        { ...due, _id: { $in: ids } },
        { $set: { claim, next_attempt_at: claim.until }, $unset: { retry_early_from: '' } },
        { hint: '_id_' },
      );
    };
    const summaries = await this.findSummaries(found.filter(isSummarized), channel, now, claim);
    // who has the first of a summary has all of it
    const firsts = summaries.map(([first]) => first!);
    const single = found.filter((one) => !isSummarized(one)).map(({ _id }) => _id);
    const ids = [...single, ...summaries.flat()];
    await take([...single, ...firsts]);
    if (summaries.length > 0) {
      const won = await this.deliveries.distinct('_id', { _id: { $in: firsts }, 'claim.token': claim.token });
      await take(summaries.filter(([first]) => won.includes(first!)).flat());
    }
    const deliveries = await this.deliveries
      .find({ _id: { $in: ids }, 'claim.token': claim.token })
      // the database would at times look through all in the order of `created_at`
      .hint('_id_')
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
          event: { $in: SUMMARIZED_EVENTS },
          next_attempt_at: { $lte: until },
          $or: [...wanted.values()].map(summaryFields),
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
   * The notifications of an event about these bottles that were queued after a moment, are due after another, and that
   * nobody has attempted.
   *
   * @param claim without those that are claimed by it
   */
  findFresh(
    bottleIds: Types.ObjectId[],
    {
      event,
      since,
      dueAfter,
      claim,
    }: { event: NotificationEvent; since: Date; dueAfter: Date; claim: Claim },
  ): Promise<Delivery[]> {
    return this.deliveries
      .find({
        bottle_id: { $in: bottleIds },
        created_at: { $gt: since },
        event,
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
      const key = `${start.claim.token} ${start.at.getTime()} ${start.next_attempt_at.getTime()} ${start.early} ${start.address} ${String(start.doses)}`;
      const group = groups.get(key);
      if (group) group.ids.push(start.id);
      else groups.set(key, { first: start, ids: [start.id] });
    }
    const { matchedCount } = await this.deliveries.collection.bulkWrite(
      [...groups.values()].map(({ first: { claim, at, early, address, doses, next_attempt_at }, ids }) => ({
        updateMany: {
          filter: { _id: { $in: ids as never[] }, 'claim.token': claim.token },
          hint: '_id_',
          update: {
            $push: {
              attempts: {
                at,
                ok: false,
                error: NO_RESULT,
                ...(address !== undefined && { address }),
                ...(early && { early }),
                ...(doses && { doses: [...doses] }),
              } satisfies Attempt,
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
   * which the same is queued already is cancelled, and one with what is there. What moves to one of several endpoints is
   * queued for the others, what moves to another person for all addresses, and what moves to the operator for staff. What
   * waits for an endpoint may be printed meanwhile.
   */
  async recordResults(results: readonly ClaimedResult[]): Promise<void> {
    // before the results: after a kill in between, it moves again, and these are there already
    await this.enqueue(results.flatMap(copiesOf));
    const refused = await this.writeResults(results);
    const cancelled = { kind: 'cancelled', reason: 'the same goes to another address' } as const;
    const moved = refused.filter(({ result }) => result.kind === 'moved');
    if (moved.length > 0) await this.reviveForMoved(moved);
    const again = await this.writeResults(moved.map((one) => ({ ...one, result: cancelled })));
    const left = refused.length - moved.length + again.length;
    if (left > 0) throw new Error(`the database refused the results of ${left} notifications`);
  }

  /**
   * What is there already may have been cancelled because its recipient was not notified of the alert. It is owed for whoever
   * is replaced now, so it is checked once more.
   */
  private async reviveForMoved(moved: readonly ClaimedResult[]): Promise<void> {
    const sources = await this.deliveries
      .find({ _id: { $in: moved.map(({ id }) => id) } }, { alert_id: 1, step: 1, recipient: 1, channel: 1 })
      .lean<Pick<Delivery, '_id' | 'alert_id' | 'step' | 'recipient' | 'channel'>[]>();
    const sourceOf = new Map(sources.map((one) => [one._id, one]));
    const updates = moved.flatMap(({ id, result }) => {
      const source = sourceOf.get(id);
      if (!source || result.kind !== 'moved') return [];
      const { alert_id, step, recipient, channel } = source;
      return [result.to, ...(result.copies ?? [])].map((to) => ({
        updateOne: {
          filter: { alert_id, step, recipient: to.recipient, channel: to.channel, status: 'cancelled' },
          update: [
            {
              $set: {
                moved_from: { $concatArrays: [{ $ifNull: ['$moved_from', []] }, [{ recipient, channel }]] },
                ...ANEW,
                status: 'pending',
                next_attempt_at: result.at,
              },
            },
            { $unset: ['claim', 'reason'] },
          ],
        },
      }));
    });
    await this.deliveries.collection.bulkWrite(updates, { ordered: false });
  }

  /**
   * One update for all that are equal, repeated once if the database fails: it does nothing to what it has changed.
   *
   * @returns those that the database refused, each by itself.
   */
  private async writeResults(results: readonly ClaimedResult[]): Promise<ClaimedResult[]> {
    const groups = [...groupBy(results, equalResults).values()];
    const write = () =>
      updateEach<(typeof groups)[number], Delivery>(this.deliveries.collection, groups, (group) => ({
        updateMany: {
          filter: { _id: { $in: group.map(({ id }) => id) }, 'claim.token': group[0].claim.token },
          hint: '_id_',
          update: toDeliveryUpdate(group[0].result, group[0].attempts),
        },
      }));
    const { refused } = await onceMore(write);
    return refused.flat();
  }

  /** Releases claimed notifications without an attempt: the next notifier sends them at once. */
  async release(ids: string[], claim: Claim, now: Date): Promise<void> {
    await this.deliveries.updateMany(
      { _id: { $in: ids }, 'claim.token': claim.token },
      { $set: { next_attempt_at: now }, $unset: { claim: '' } },
    );
  }
}
