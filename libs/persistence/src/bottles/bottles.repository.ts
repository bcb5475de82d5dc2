import type { Pause } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Bottle, type StoredScheduleVersion } from './bottle.schema.js';

/** What a report needs to know of the bottle that sent it. */
export interface DeviceIdentity {
  _id: Types.ObjectId;
  user_id: string;
  medication: string;
}

/** What staff may change of a bottle. */
export type BottleChange = Partial<Pick<Bottle, 'user_id' | 'medication' | 'time_zone'>>;

const REMEMBERED_TOKENS = 5;

/** Every query on `bottles`. */
@Injectable()
export class BottlesRepository {
  constructor(@InjectModel(Bottle.name) private readonly bottles: Model<Bottle>) {}

  async insert(bottle: Bottle): Promise<void> {
    await this.bottles.create(bottle);
  }

  findById(id: Types.ObjectId): Promise<Bottle | null> {
    return this.bottles.findById(id).lean<Bottle>();
  }

  findByIds(ids: Types.ObjectId[]): Promise<Bottle[]> {
    return this.bottles.find({ _id: { $in: ids } }).lean<Bottle[]>();
  }

  /** The bottle that a device's token speaks for. */
  findByToken(tokenHash: string): Promise<DeviceIdentity | null> {
    return this.bottles
      .findOne({ token_hash: tokenHash }, { user_id: 1, medication: 1 })
      .lean<DeviceIdentity>();
  }

  /** Whether this was once a device's token and is no longer. */
  async isRevokedToken(tokenHash: string): Promise<boolean> {
    const found = await this.bottles
      .findOne({ revoked_token_hashes: tokenHash, 'revoked_token_hashes.0': { $exists: true } }, { _id: 1 })
      .lean();
    return found !== null;
  }

  /** Replaces the token; the old one is remembered as revoked. Returns false when there is no such bottle, or when
   * someone else rotated it at the same moment. */
  async rotateToken(id: Types.ObjectId, tokenHash: string): Promise<boolean> {
    const old = await this.bottles.findById(id, { token_hash: 1 }).lean<{ token_hash: string }>();
    if (!old) return false;
    const done = await this.bottles.updateOne(
      { _id: id, token_hash: old.token_hash },
      {
        $set: { token_hash: tokenHash },
        $push: { revoked_token_hashes: { $each: [old.token_hash], $slice: -REMEMBERED_TOKENS } },
      },
    );
    return done.modifiedCount === 1;
  }

  /** First step of erasing: from here on no device has this bottle's token. */
  async disownToken(id: Types.ObjectId): Promise<void> {
    // unique, and no SHA-256 is written like this
    await this.bottles.updateOne({ _id: id }, { $set: { token_hash: `erased:${id.toHexString()}` } });
  }

  /**
   * Changes the registry's facts and returns the bottle as it is then. Null when there is no such bottle, or
   * when its schedule is no longer as it was seen.
   */
  update(
    id: Types.ObjectId,
    change: BottleChange,
    schedule?: { seen: StoredScheduleVersion[]; versions: StoredScheduleVersion[] },
  ): Promise<Bottle | null> {
    const filter = schedule ? { _id: id, schedule_versions: schedule.seen } : { _id: id };
    const $set = schedule ? { ...change, schedule_versions: schedule.versions } : change;
    return this.bottles.findOneAndUpdate(filter, { $set }, { returnDocument: 'after' }).lean<Bottle>();
  }

  /**
   * Adds a schedule version; versions that were to begin at or after it are replaced, earlier ones stay, so
   * that the past is judged as it was prescribed then.
   */
  addScheduleVersion(id: Types.ObjectId, version: StoredScheduleVersion): Promise<Bottle | null> {
    // one step, so that of two people who save at once neither leaves the list out of order
    const earlier = {
      $filter: {
        input: '$schedule_versions',
        cond: { $lt: ['$$this.effective_from', version.effective_from] },
      },
    };
    return this.bottles
      .findByIdAndUpdate(
        id,
        [{ $set: { schedule_versions: { $concatArrays: [earlier, [{ $literal: version }]] } } }],
        { returnDocument: 'after', updatePipeline: true },
      )
      .lean<Bottle>();
  }

  /** Adds a pause. Slots in it do not exist; those that were judged already keep their outcome. */
  addPause(id: Types.ObjectId, pause: Pause): Promise<Bottle | null> {
    return this.bottles
      .findByIdAndUpdate(id, { $push: { pauses: pause } }, { returnDocument: 'after' })
      .lean<Bottle>();
  }

  /** Bottles in the order of their ids, for walking the fleet. */
  findPageAfter(after: Types.ObjectId | undefined, limit: number): Promise<Bottle[]> {
    return this.bottles
      .find(after ? { _id: { $gt: after } } : {})
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Bottle[]>();
  }

  async delete(id: Types.ObjectId): Promise<boolean> {
    return (await this.bottles.deleteOne({ _id: id })).deletedCount === 1;
  }
}
