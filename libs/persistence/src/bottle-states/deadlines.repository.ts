import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type AnyBulkWriteOperation, type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { type Claim, newClaim, unclaimed } from '../database/claim.js';
import { BottleState } from './bottle-state.schema.js';
import { DEADLINES, type DeadlineName } from './deadlines.js';

/** What a claim won: bottles that are this notifier's until the lease runs out. */
export interface ClaimedPage {
  claim: Claim;
  states: BottleState[];
  /** How many were overdue when looked for; as many as `limit` means that there may be more. */
  found: number;
}

/** What to do with one claimed bottle when its check is done. */
export interface Release {
  id: Types.ObjectId;
  /** The fields that must still be as they were seen; an absent one is given as undefined. */
  seen: Partial<BottleState>;
  /** Applied when they are. */
  update: UpdateQuery<BottleState>;
  /** Applied when the bottle has spoken meanwhile: the deadline stays armed. */
  otherwise?: UpdateQuery<BottleState>;
}

/**
 * Claims and releases: the compare-and-set steps that let any number of notifiers run. A claim repeats the
 * deadline that was seen; a release repeats the claim, so whoever lost the lease writes nothing.
 */
@Injectable()
export class DeadlinesRepository {
  constructor(@InjectModel(BottleState.name) private readonly states: Model<BottleState>) {}

  /**
   * Claims up to `limit` bottles whose deadline has passed, longest overdue first.
   *
   * @param skip here and below: passes over so many, for whoever sees the same page as other notifiers.
   */
  async claimOverdue(
    name: DeadlineName,
    now: Date,
    leaseMs: number,
    limit: number,
    skip = 0,
  ): Promise<ClaimedPage> {
    const { deadline } = DEADLINES[name];
    return this.claim(name, { [deadline]: { $lte: now } }, { [deadline]: 1 }, now, leaseMs, limit, skip);
  }

  /** Claims bottles whose silence has ended: `bottle_silent` stands and `silent_at` is armed again. */
  async claimHeardAgain(now: Date, leaseMs: number, limit: number, skip = 0): Promise<ClaimedPage> {
    return this.claim(
      'silent',
      { silent: true, silent_at: { $gt: new Date(0) } },
      {},
      now,
      leaseMs,
      limit,
      skip,
    );
  }

  /** Claims bottles whose open alert was overtaken by a newer action. */
  async claimOpenChanged(now: Date, leaseMs: number, limit: number, skip = 0): Promise<ClaimedPage> {
    return this.claim('open', { open_alerted: true, open_unchanged: null }, {}, now, leaseMs, limit, skip);
  }

  /**
   * Claims bottles that a notifier had claimed when it was killed and that are no longer overdue: an alert may
   * stand that their state does not know of. Who is still overdue is claimed for that.
   */
  async claimLeftBehind(
    name: 'silent' | 'open',
    now: Date,
    leaseMs: number,
    limit: number,
    skip = 0,
  ): Promise<ClaimedPage> {
    const { deadline, claim } = DEADLINES[name];
    const filter = { [`${claim}.until`]: { $lte: now }, $nor: [{ [deadline]: { $lte: now } }] };
    return this.claim(name, filter, {}, now, leaseMs, limit, skip);
  }

  /** Claims bottles whose judgement waited for a contact that has come. */
  async claimWaitingHeard(now: Date, leaseMs: number, limit: number, skip = 0): Promise<ClaimedPage> {
    return this.claim('dose', { dose_waiting: true, unheard: null }, {}, now, leaseMs, limit, skip);
  }

  /** Ends this notifier's hold, each bottle by compare and set; who is no longer ours stays as it is. */
  async release(name: DeadlineName, claim: Claim, releases: Release[]): Promise<void> {
    if (releases.length === 0) return;
    const claimField = DEADLINES[name].claim;
    const ours = { [`${claimField}.token`]: claim.token };
    const apply = async (
      updates: { id: Types.ObjectId; seen?: Partial<BottleState>; update: UpdateQuery<BottleState> }[],
    ): Promise<number> => {
      const operations: AnyBulkWriteOperation<BottleState>[] = updates.map(({ id, seen = {}, update }) => ({
        updateOne: {
          filter: { _id: id, ...ours, ...asFilter(seen) },
          // the fields that are compared have indexes too: the database would weigh them against each other
          hint: '_id_',
          update: withUnset(update, claimField),
        },
      }));
      const done = await this.states.collection.bulkWrite(operations as never, { ordered: false });
      return done.matchedCount;
    };
    if ((await apply(releases)) === releases.length) return;
    // only matches what the updates before did not: they have taken the claim away
    await apply(releases.map(({ id, otherwise = {} }) => ({ id, update: otherwise })));
  }

  /** Moves a bottle that a check cannot deal with out of its way; staff see why. */
  async setAside(
    name: DeadlineName,
    id: Types.ObjectId,
    check: string,
    error: string,
    at: Date,
  ): Promise<void> {
    const { deadline, claim } = DEADLINES[name];
    await this.states.updateOne(
      { _id: id },
      {
        $set: { set_aside: { check, error: error.slice(0, 500), at } },
        $unset: { [deadline]: '', [claim]: '' },
      },
    );
  }

  /** The earliest deadline armed after a moment, undefined when none is: one key of its index, and no document. */
  async findNext(name: DeadlineName, after: Date): Promise<Date | undefined> {
    const { deadline } = DEADLINES[name];
    const next = await this.states
      .findOne({ [deadline]: { $gt: after } }, { _id: 0, [deadline]: 1 })
      .sort({ [deadline]: 1 })
      .lean<BottleState>();
    return next?.[deadline];
  }

  /** How many bottles are overdue, counted up to `limit`. */
  countOverdue(name: DeadlineName, now: Date, limit: number): Promise<number> {
    return this.states.countDocuments({ [DEADLINES[name].deadline]: { $lte: now } }, { limit });
  }

  /** How long the longest overdue bottle has waited, for `GET /v1/fleet`. Milliseconds; 0 when none is. */
  async lag(name: DeadlineName, now: Date): Promise<number> {
    const { deadline } = DEADLINES[name];
    const oldest = await this.states
      .findOne({ [deadline]: { $lte: now } }, { [deadline]: 1 })
      .sort({ [deadline]: 1 })
      .lean<BottleState>();
    const due = oldest?.[deadline];
    return due ? now.getTime() - due.getTime() : 0;
  }

  private async claim(
    name: DeadlineName,
    filter: QueryFilter<BottleState>,
    sort: Record<string, 1>,
    now: Date,
    leaseMs: number,
    limit: number,
    skip: number,
  ): Promise<ClaimedPage> {
    const claimField = DEADLINES[name].claim;
    const claim = newClaim(now, leaseMs);
    const free = { ...filter, $or: unclaimed(claimField, now) };
    const found = await this.states
      .find(free, { _id: 1 })
      .sort(sort)
      .skip(skip)
      .limit(limit)
      .lean<{ _id: Types.ObjectId }[]>();
    if (found.length === 0) return { claim, states: [], found: 0 };
    const ids = found.map(({ _id }) => _id);
    await this.states.updateMany({ ...free, _id: { $in: ids } }, { $set: { [claimField]: claim } });
    const states = await this.states
      .find({ _id: { $in: ids }, [`${claimField}.token`]: claim.token })
      .lean<BottleState[]>();
    return { claim, states, found: found.length };
  }
}

function asFilter(seen: Partial<BottleState>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(seen).map(([field, value]) => [field, value === undefined ? { $exists: false } : value]),
  );
}

function withUnset(update: UpdateQuery<BottleState>, field: string): UpdateQuery<BottleState> {
  return { ...update, $unset: { ...update.$unset, [field]: '' } };
}
