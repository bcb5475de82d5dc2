import {
  type BottleState as DomainBottleState,
  type DeadlineName,
  DEADLINES,
  isCanary,
  onQuarantine,
  type JudgeAgain,
  type Release,
  type StateChange,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { CANARIES } from '../canaries/canaries.js';
import { type Claim, newClaim, unclaimed } from '../database/claim.js';
import { onceMore } from '../database/write-each.js';
import { BOTTLE_STATE, type BottleState, type StoredBottleState } from './bottle-state.schema.js';
import { toState, wherePhase } from './phases.js';
import { toUpdate, whereStill } from './state-update.js';

const OVERDUE_PAGE = 1_000;

/** The bottles that a claim won: this notifier's until the lease runs out. */
export interface ClaimedPage {
  claim: Claim;
  states: BottleState[];
  /** How many were overdue before claiming; as many as `limit` means that there may be more. */
  found: number;
}

/**
 * Claims and releases: the compare-and-set steps that let any number of notifiers run. A claim repeats the
 * deadline that was seen; a release repeats the claim, so a notifier that lost the lease writes nothing.
 */
@Injectable()
export class DeadlinesRepository {
  constructor(@InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>) {}

  /**
   * Claims up to `limit` bottles whose deadline has passed, longest overdue first.
   *
   * @param skip here and below: how many to pass over, for a notifier that contends with others for a page.
   * @param dueBy the deadline has passed at this moment.
   */
  async claimOverdue(
    name: DeadlineName,
    now: Date,
    leaseMs: number,
    limit: number,
    skip = 0,
    dueBy = now,
  ): Promise<ClaimedPage> {
    const { deadline } = DEADLINES[name];
    return this.claim(name, { [deadline]: { $lte: dueBy } }, { [deadline]: 1 }, now, leaseMs, limit, skip);
  }

  /**
   * Claims bottles whose silence has ended: `bottle_silent` is open, and `silent_at` was armed by a contact after the
   * one that the alert is about.
   */
  async claimSilenceEnded(now: Date, leaseMs: number, limit: number, skip = 0): Promise<ClaimedPage> {
    return this.claim(
      'silent',
      { ...wherePhase('alerted_silence', 'over'), $expr: { $ne: ['$last_heard_at', '$silent_since'] } },
      {},
      now,
      leaseMs,
      limit,
      skip,
    );
  }

  /** Claims bottles with an open alert `bottle_open` and a newer action. */
  async claimOpenChanged(now: Date, leaseMs: number, limit: number, skip = 0): Promise<ClaimedPage> {
    return this.claim('open', wherePhase('alerted_opening', 'over'), {}, now, leaseMs, limit, skip);
  }

  /**
   * Claims bottles with an orphaned claim that are no longer overdue: an alert may be open that their state does not
   * know of. A bottle that is still overdue is claimed for that.
   */
  async claimOrphaned(
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
  async claimContactCame(now: Date, leaseMs: number, limit: number, skip = 0): Promise<ClaimedPage> {
    return this.claim('dose', wherePhase('dose_wait', 'over'), {}, now, leaseMs, limit, skip);
  }

  /** Which of these bottles are still claimed by this claim, whatever the clocks say. By id in hex. */
  async findHeld(name: DeadlineName, claim: Claim, ids: Types.ObjectId[]): Promise<ReadonlySet<string>> {
    const held = await this.states
      .find({ _id: { $in: ids }, [`${DEADLINES[name].claim}.token`]: claim.token }, { _id: 1 })
      .hint('_id_')
      .lean<{ _id: Types.ObjectId }[]>();
    return new Set(held.map(({ _id }) => _id.toHexString()));
  }

  /**
   * Ends this notifier's claims, each by compare and set; a bottle that is no longer ours stays as it is.
   *
   * @returns whether all of them were ours
   */
  async release(name: DeadlineName, claim: Claim, releases: Release[]): Promise<boolean> {
    if (releases.length === 0) return true;
    const claimField = DEADLINES[name].claim;
    const ours = { [`${claimField}.token`]: claim.token };
    const apply = async (
      changes: { id: Release['id']; seen?: Partial<DomainBottleState>; change: StateChange }[],
    ): Promise<number> => {
      const operations = changes.map(({ id, seen = {}, change }) => ({
        // not one: the database need not record it for retries
        updateMany: {
          filter: { _id: id, ...ours, ...whereStill(seen) },
          // the fields that are compared have indexes too: the database would weigh them against each other
          hint: '_id_',
          update: toUpdate(change, claimField),
        },
      }));
      const write = () => this.states.collection.bulkWrite(operations as never, { ordered: false });
      return (await onceMore(write)).matchedCount;
    };
    const first = await apply(releases);
    if (first === releases.length) return true;
    // matches only what the first updates did not: those have removed the claim
    const others = await apply(releases.map(({ id, otherwise = {} }) => ({ id, change: otherwise })));
    return first + others === releases.length;
  }

  /** Has bottles judged again about which something was written when their claim had ended. */
  async judgeAgain(bottles: JudgeAgain[]): Promise<void> {
    if (bottles.length === 0) return;
    const operations = bottles.map(({ id, seen, change }) => ({
      updateOne: { filter: { _id: id, ...whereStill(seen) }, hint: '_id_', update: toUpdate(change) },
    }));
    await this.states.collection.bulkWrite(operations as never, { ordered: false });
  }

  /** Makes each change by compare and set, or the other one; whoever has claimed the bottle. */
  async compareAndSet(changes: readonly Release[]): Promise<void> {
    for (const { id, seen, change, otherwise } of changes) {
      const done = await this.states.collection.updateOne(
        { _id: id, ...whereStill(seen) } as never,
        toUpdate(change),
      );
      if (done.matchedCount === 0 && otherwise)
        await this.states.collection.updateOne({ _id: id } as never, toUpdate(otherwise));
    }
  }

  /**
   * Quarantines a claimed bottle that made a check throw; staff see the error. One that is no longer ours stays as it
   * is: another notifier may have read what this one could not.
   *
   * @returns whether it was ours
   */
  async quarantine(
    name: DeadlineName,
    claim: Claim,
    id: Types.ObjectId,
    failure: { check: string; error: string; at: Date },
  ): Promise<boolean> {
    const { deadline, claim: claimField } = DEADLINES[name];
    const done = await this.states.updateOne(
      { _id: id, [`${claimField}.token`]: claim.token },
      toUpdate(onQuarantine(deadline, failure), claimField),
      { hint: '_id_' },
    );
    return done.matchedCount === 1;
  }

  /** The earliest deadline armed after a moment, undefined when none is: one key of its index, and no document. */
  async findNext(name: DeadlineName, after: Date): Promise<Date | undefined> {
    const { deadline } = DEADLINES[name];
    const next = await this.states
      .findOne({ [deadline]: { $gt: after } }, { _id: 0, [deadline]: 1 })
      .sort({ [deadline]: 1 })
      .lean<StoredBottleState>();
    return next?.[deadline];
  }

  /** How many bottles in use are overdue, counted up to `limit`; without canaries. */
  async countOverdue(name: DeadlineName, now: Date, limit: number): Promise<number> {
    const overdue = { [DEADLINES[name].deadline]: { $lte: now } };
    const [all, canaries] = await Promise.all([
      this.states.countDocuments({ ...overdue, life: null }, { limit }),
      this.states.countDocuments({ _id: CANARIES, ...overdue }, { hint: '_id_' }),
    ]);
    return all - canaries;
  }

  /** The bottles that {@link countOverdue} counts, page by page: since when their silence counts, if a period held it. */
  async *overduePages(
    name: DeadlineName,
    now: Date,
  ): AsyncGenerator<Pick<StoredBottleState, '_id' | 'silence_counts_from'>[]> {
    const overdue = this.states
      .find({ [DEADLINES[name].deadline]: { $lte: now }, life: null }, { silence_counts_from: 1 })
      .lean<Pick<StoredBottleState, '_id' | 'silence_counts_from'>[]>()
      .cursor({ batchSize: OVERDUE_PAGE });
    let page: Pick<StoredBottleState, '_id' | 'silence_counts_from'>[] = [];
    for await (const state of overdue) {
      if (!isCanary(state._id)) page.push(state);
      if (page.length < OVERDUE_PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  /** How long the longest overdue bottle has waited, for `GET /v1/fleet`. Milliseconds; 0 when none is. */
  async lag(name: DeadlineName, now: Date): Promise<number> {
    const { deadline } = DEADLINES[name];
    const oldest = await this.states
      .findOne({ [deadline]: { $lte: now } }, { [deadline]: 1 })
      .sort({ [deadline]: 1 })
      .lean<StoredBottleState>();
    const due = oldest?.[deadline];
    return due ? now.getTime() - due.getTime() : 0;
  }

  private async claim(
    name: DeadlineName,
    filter: QueryFilter<StoredBottleState>,
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
    await this.states.updateMany(
      { ...free, _id: { $in: ids } },
      { $set: { [claimField]: claim } },
      { hint: '_id_' },
    );
    const states = await this.states
      .find({ _id: { $in: ids }, [`${claimField}.token`]: claim.token })
      .lean<StoredBottleState[]>();
    return { claim, states: states.map(toState), found: found.length };
  }
}
