import { type BottleLife, isCanary, type UnmonitoredPeriod, type ZoneHistory } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { NO_CANARY } from '../canaries/canaries.js';
import { type Expected, hasVersion, newVersion } from '../database/version.js';
import { Bottle, type ErasedKind, type StoredScheduleVersion } from './bottle.schema.js';
import { IDENTITY_CHANGED } from './changed-bottles.repository.js';
import type { IdRange } from './partitions.js';

/** What a report needs to know of the bottle that sent it. */
export interface DeviceIdentity extends ZoneHistory {
  _id: Types.ObjectId;
  user_id: string;
  medication: string;
  /** Absent if it has been in use since its registration. */
  life?: Pick<BottleLife, 'state'>;
}

/** What of a bottle makes it a device's identity. */
export const OF_DEVICE = {
  user_id: 1,
  medication: 1,
  time_zone: 1,
  former_time_zones: 1,
  'life.state': 1,
} as const;

/** What staff may change of a bottle. */
export type BottleChange = Partial<Pick<Bottle, 'user_id' | 'medication' | 'label' | 'time_zone'>>;

const REMEMBERED_TOKENS = 5;
const SAMPLES_PER_PARTITION = 20;
const BOTTLES_PER_PARTITION = 5_000;
const MAX_PARTITIONS = 64;

/** A change of the zone: the versions as they were seen and are to be, and the zone that it leaves. */
export interface Move {
  seen: StoredScheduleVersion[];
  versions: StoredScheduleVersion[];
  from: { time_zone: string; until: Date };
}

/** By what people know a bottle, and where its patient lives. */
export type BottleDescription = Pick<Bottle, '_id' | 'user_id' | 'medication' | 'label' | 'time_zone'>;

/** Of a bottle, the past ones included: each sweep reads them all. */
export const MOST_SCHEDULE_VERSIONS = 200;
export const MOST_PERIODS = 200;

/** Every query on `bottles`. */
@Injectable()
export class BottlesRepository {
  constructor(@InjectModel(Bottle.name) private readonly bottles: Model<Bottle>) {}

  async insert(bottle: Bottle): Promise<void> {
    await this.bottles.create(bottle);
  }

  /** Whether there is a bottle beside canaries. */
  async isAnyRegistered(): Promise<boolean> {
    return (await this.bottles.exists({ _id: NO_CANARY })) !== null;
  }

  findById(id: Types.ObjectId): Promise<Bottle | null> {
    return this.bottles.findById(id).lean<Bottle>();
  }

  /** The labels of these bottles, by the bottle's id in hex; bottles without one are left out. */
  async findLabels(ids: Types.ObjectId[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const found = await this.bottles
      .find({ _id: { $in: ids } }, { label: 1 })
      .lean<Pick<Bottle, '_id' | 'label'>[]>();
    return new Map(found.flatMap(({ _id, label }) => (label ? [[_id.toHexString(), label] as const] : [])));
  }

  findByIds(ids: Types.ObjectId[]): Promise<Bottle[]> {
    return this.bottles.find({ _id: { $in: ids } }).lean<Bottle[]>();
  }

  /** The periods without monitoring of these bottles, by id in hex; none of a bottle that never had one. */
  async findPeriods(ids: Types.ObjectId[]): Promise<Map<string, UnmonitoredPeriod[]>> {
    if (ids.length === 0) return new Map();
    const found = await this.bottles
      .find({ _id: { $in: ids }, 'pauses.0': { $exists: true } }, { pauses: 1 })
      .lean<Pick<Bottle, '_id' | 'pauses'>[]>();
    return new Map(found.map(({ _id, pauses }) => [_id.toHexString(), pauses]));
  }

  /** Those of these bottles that have a period of their person which is not over. */
  findWithPeriods(ids: Types.ObjectId[], now: Date): Promise<Pick<Bottle, '_id' | 'user_id' | 'pauses'>[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const isCurrent = { of_person: true, $or: [{ to: null }, { to: { $gt: now } }] };
    return this.bottles
      .find({ _id: { $in: ids }, pauses: { $elemMatch: isCurrent } }, { user_id: 1, pauses: 1 })
      .lean<Pick<Bottle, '_id' | 'user_id' | 'pauses'>[]>();
  }

  /** What lists of something else show of these bottles, by the bottle's id in hex. */
  async findDescriptions(ids: Types.ObjectId[]): Promise<Map<string, BottleDescription>> {
    if (ids.length === 0) return new Map();
    const found = await this.bottles
      .find({ _id: { $in: ids } }, { user_id: 1, medication: 1, label: 1, time_zone: 1 })
      .lean<BottleDescription[]>();
    return new Map(found.map((bottle) => [bottle._id.toHexString(), bottle]));
  }

  /** The bottles that devices' tokens speak for, by the token's hash. */
  async findByTokens(hashes: string[]): Promise<Map<string, DeviceIdentity>> {
    const found = await this.bottles
      .find({ token_hash: { $in: hashes } }, { ...OF_DEVICE, token_hash: 1 })
      .lean<(DeviceIdentity & { token_hash: string })[]>();
    return new Map(found.map(({ token_hash, ...device }) => [token_hash, device]));
  }

  /** Which of these were once a device's token and are no longer. */
  async findRevokedTokens(hashes: string[]): Promise<Set<string>> {
    const found = await this.bottles
      .find(
        { revoked_token_hashes: { $in: hashes }, 'revoked_token_hashes.0': { $exists: true } },
        { revoked_token_hashes: 1 },
      )
      .lean<Pick<Bottle, 'revoked_token_hashes'>[]>();
    return new Set(found.flatMap(({ revoked_token_hashes }) => revoked_token_hashes));
  }

  /** Replaces the token; the old one is remembered as revoked. Returns false when there is no such bottle, or when
   * someone else rotated it at the same moment. */
  async rotateToken(id: Types.ObjectId, tokenHash: string, at: Date): Promise<boolean> {
    const old = await this.bottles.findById(id, { token_hash: 1 }).lean<{ token_hash: string }>();
    if (!old) return false;
    const done = await this.bottles.updateOne(
      { _id: id, token_hash: old.token_hash },
      {
        ...IDENTITY_CHANGED,
        $set: { token_hash: tokenHash, token_replaced_at: at },
        $push: { revoked_token_hashes: { $each: [old.token_hash], $slice: -REMEMBERED_TOKENS } },
      },
    );
    return done.modifiedCount === 1;
  }

  /** First step of erasing: from here on no device has this bottle's token. */
  async disownToken(id: Types.ObjectId): Promise<void> {
    // unique, and no SHA-256 is written like this
    await this.bottles.updateOne(
      { _id: id },
      { ...IDENTITY_CHANGED, $set: { token_hash: `erased:${id.toHexString()}` } },
    );
  }

  /**
   * Part of erasing: what is about to be deleted. The largest count stands: whoever repeats an erasure, or erases at
   * the same time, finds less.
   */
  async countErased(id: Types.ObjectId, kind: ErasedKind, count: number): Promise<void> {
    await this.bottles.updateOne({ _id: id }, { $max: { [`erased.${kind}`]: count } });
  }

  /**
   * Changes the registry's facts and returns the bottle as it is then. Null when there is no such bottle, or
   * when its schedule or its owner is no longer as it was seen, or when it has none of the versions.
   */
  update(
    id: Types.ObjectId,
    change: BottleChange,
    {
      move,
      handover,
      expected,
      sharing,
    }: {
      move?: Move;
      handover?: { user_id: string; until: Date };
      expected?: Expected;
      /** The plans that it shared when it was seen, for a change that none of them allows. */
      sharing?: Pick<Bottle, 'shared_plans' | 'plan_members'>;
    } = {},
  ): Promise<Bottle | null> {
    const filter = {
      _id: id,
      ...hasVersion(expected),
      ...(sharing && stillSharing(sharing)),
      ...(move && { schedule_versions: move.seen, time_zone: move.from.time_zone }),
      ...(handover && { user_id: handover.user_id }),
    };
    const $set = { ...change, ...(move && { schedule_versions: move.versions }), ...newVersion() };
    const $push = {
      ...(move && change.time_zone !== move.from.time_zone && { former_time_zones: move.from }),
      ...(handover && { former_owners: handover }),
    };
    return this.bottles
      .findOneAndUpdate(filter, { ...IDENTITY_CHANGED, $set, $push }, { returnDocument: 'after' })
      .lean<Bottle>();
  }

  /**
   * Changes its life, and returns the bottle as it is then. Null when there is no such bottle, or when its schedule, its
   * owner or its life is no longer as it was seen, or when it has none of the versions.
   */
  changeLife(
    seen: Bottle,
    change: Pick<Bottle, 'schedule_versions' | 'pauses' | 'shared_plans'> & {
      life: BottleLife;
      user_id?: string;
    },
    expected: Expected,
  ): Promise<Bottle | null> {
    const { _id, user_id, schedule_versions, pauses, life = null } = seen;
    const isHandover = change.user_id !== undefined && change.user_id !== user_id;
    const $push = isHandover && { former_owners: { user_id, until: change.life.since } };
    return this.bottles
      .findOneAndUpdate(
        {
          _id,
          user_id,
          schedule_versions,
          pauses,
          life,
          ...stillSharing(seen),
          ...hasVersion(expected),
        } as object,
        { ...IDENTITY_CHANGED, $set: { ...change, ...newVersion() }, ...($push && { $push }) },
        { returnDocument: 'after' },
      )
      .lean<Bottle>();
  }

  /** Notes that the search may find the bottle by these owners, before it does. */
  async addSearchable(id: Types.ObjectId, userIds: string[]): Promise<void> {
    await this.bottles.updateOne({ _id: id }, { $addToSet: { searchable_as: { $each: userIds } } });
  }

  /** The search does not find the bottle by these owners any more. */
  async removeSearchable(id: Types.ObjectId, userIds: string[]): Promise<void> {
    await this.bottles.updateOne({ _id: id }, { $pull: { searchable_as: { $in: userIds } } });
  }

  /**
   * Replaces the schedule versions that were seen. Null when there is no such bottle, or with none of the versions, or
   * when its schedule versions are no longer those, so that of two people who save at once neither undoes the other.
   */
  replaceScheduleVersions(
    id: Types.ObjectId,
    { seen, versions }: Pick<Move, 'seen' | 'versions'>,
    expected: Expected,
  ): Promise<Bottle | null> {
    return this.bottles
      .findOneAndUpdate(
        { _id: id, ...hasVersion(expected), schedule_versions: seen },
        { $set: { schedule_versions: versions, ...newVersion() } },
        { returnDocument: 'after' },
      )
      .lean<Bottle>();
  }

  /**
   * Replaces the periods without monitoring that were seen. Null when there is no such bottle, or with none of the versions,
   * or when its periods are no longer those.
   */
  replacePeriods(
    id: Types.ObjectId,
    { seen, periods }: { seen: UnmonitoredPeriod[]; periods: UnmonitoredPeriod[] },
    expected: Expected,
  ): Promise<Bottle | null> {
    return this.bottles
      .findOneAndUpdate(
        { _id: id, ...hasVersion(expected), pauses: seen },
        { $set: { pauses: periods, ...newVersion() } },
        { returnDocument: 'after' },
      )
      .lean<Bottle>();
  }

  /** Bottles in the order of their ids, for walking the fleet: `after` exclusive, `upto` inclusive. */
  findPageAfter({ after, upto }: IdRange, limit: number): Promise<Bottle[]> {
    const ids = { ...(after && { $gt: after }), ...(upto && { $lte: upto }) };
    return this.bottles
      .find(after || upto ? { _id: ids } : {})
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Bottle[]>();
  }

  /** A page of the fleet without canaries, oldest registration first. */
  findRegistered(after: Types.ObjectId | undefined, limit: number): Promise<Bottle[]> {
    return this.bottles
      .find({ _id: { ...NO_CANARY, ...(after && { $gt: after }) } })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Bottle[]>();
  }

  /** The whole fleet without canaries, page by page, in the order of the ids. */
  async *pages(size: number): AsyncGenerator<Bottle[]> {
    for (let after: Bottle['_id'] | undefined; ;) {
      const found = await this.findPageAfter(after ? { after } : {}, size);
      const page = found.filter(({ _id }) => !isCanary(_id));
      if (page.length > 0) yield page;
      after = page.at(-1)?._id;
      if (page.length < size) return;
    }
  }

  /**
   * Divides the fleet into partitions of about equal size, for runs that notifiers share: about 5,000 bottles each, or
   * a 64th of a large fleet.
   */
  async findPartitions(): Promise<IdRange[]> {
    // from the collection's metadata: the same cost for any fleet
    const bottles = await this.bottles.estimatedDocumentCount();
    const boundaries = await this.findBoundaries(
      Math.min(MAX_PARTITIONS, Math.floor(bottles / BOTTLES_PER_PARTITION)),
    );
    return [undefined, ...boundaries].map((after, index) => ({
      ...(after && { after }),
      ...(boundaries[index] && { upto: boundaries[index] }),
    }));
  }

  /** Ids that divide the fleet into about equal parts, ascending; from a sample, so that the fleet is not read. */
  private async findBoundaries(parts: number): Promise<Types.ObjectId[]> {
    if (parts < 2) return [];
    const sample = await this.bottles
      .aggregate<{ _id: Types.ObjectId }>([
        { $sample: { size: parts * SAMPLES_PER_PARTITION } },
        { $project: { _id: 1 } },
        { $sort: { _id: 1 } },
      ])
      .exec();
    return sample
      .filter((_, index) => index % SAMPLES_PER_PARTITION === 0 && index > 0)
      .map(({ _id }) => _id);
  }

  /** The bottles that were once this user's, the current ones included if they were before. */
  findFormerlyOf(userId: string): Promise<Bottle[]> {
    return this.bottles
      .find({ 'former_owners.user_id': userId, 'former_owners.0': { $exists: true } })
      .lean<Bottle[]>();
  }

  /** Part of erasing a former owner: the pseudonym takes their place, and what was theirs alone is deleted. */
  async eraseFormerOwner(
    { _id, former_owners = [] }: Pick<Bottle, '_id' | 'former_owners'>,
    userId: string,
    pseudonym: string,
    kept: Pick<Bottle, 'schedule_versions' | 'pauses' | 'shared_plans' | 'plan_members'>,
  ): Promise<void> {
    const owners = former_owners.map((one) =>
      one.user_id === userId ? { ...one, user_id: pseudonym } : one,
    );
    await this.bottles.updateOne(
      { _id },
      { $set: { ...kept, former_owners: owners }, $pull: { searchable_as: userId } },
    );
  }

  /** Every user who owns or owned a bottle, once or more, as it is taken. */
  async *users(): AsyncGenerator<string> {
    const found = this.bottles.collection.find<Pick<Bottle, 'user_id' | 'former_owners'>>(
      {},
      { projection: { user_id: 1, former_owners: 1 } },
    );
    for await (const { user_id, former_owners = [] } of found) {
      yield user_id;
      for (const former of former_owners) yield former.user_id;
    }
  }

  async delete(id: Types.ObjectId): Promise<boolean> {
    return (await this.bottles.deleteOne({ _id: id })).deletedCount === 1;
  }
}

/** Matches a bottle that shares the same plans as when it was seen. */
function stillSharing({ shared_plans, plan_members }: Pick<Bottle, 'shared_plans' | 'plan_members'>): object {
  return { shared_plans: shared_plans ?? null, plan_members: plan_members ?? null };
}
