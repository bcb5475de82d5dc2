import { DAY_MS } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import { isDuplicateKey } from '../database/duplicate-key.js';
import {
  ALL_PARTITIONS_DONE,
  hasFreePartition,
  hasPartitionClaimedBy,
  type Partition,
  PARTITION_DONE,
  PARTITION_RELEASED,
  partitionClaimedBy,
} from '../bottles/partitions.js';
import { type Claim, newClaim } from '../database/claim.js';

const RETENTION_MS = 30 * DAY_MS;

/** One run of the reconcile over the fleet. It outlives its notifiers: any notifier takes its free partitions. */
@Schema({ collection: 'reconcile_rounds', versionKey: false, autoIndex: false, autoCreate: false })
export class ReconcileRun {
  _id: Types.ObjectId;

  @Prop({ type: Date, required: true })
  began_at: Date;

  /** Absent once every partition is done. */
  @Prop({ type: Boolean })
  under_way?: true;

  @Prop({ type: Date })
  finished_at?: Date;

  /** The partitions. Their `after` advances, so another notifier continues where the last one stopped. */
  @Prop({ type: [Object], required: true })
  pieces: Partition[];

  /** Bottles compared so far. */
  @Prop({ type: Number, required: true })
  bottles: number;

  /** States that differed from the log and were repaired. */
  @Prop({ type: Number, required: true })
  repaired: number;
}

export const ReconcileRunSchema = SchemaFactory.createForClass(ReconcileRun);

// One run at a time, even if several notifiers begin one in the same second.
ReconcileRunSchema.index(
  { under_way: 1 },
  { name: 'one_under_way', unique: true, partialFilterExpression: { under_way: true } },
);

/** A partition that is this notifier's until the lease ends. */
export interface ClaimedPartition extends Partition {
  run: Types.ObjectId;
  claim: Claim;
}

/** What a page adds to its run. */
export interface PartitionProgress {
  bottles: number;
  repaired: number;
}

/** Every query on `reconcile_rounds`. */
@Injectable()
export class ReconcileRunsRepository {
  constructor(@InjectModel(ReconcileRun.name) private readonly runs: Model<ReconcileRun>) {}

  /** Begins a run over these partitions unless one is under way. Deletes runs older than 30 days. */
  async begin(partitions: Partition[], now: Date): Promise<void> {
    await this.runs.deleteMany({
      under_way: null,
      began_at: { $lt: new Date(now.getTime() - RETENTION_MS) },
    });
    try {
      await this.runs.create({ began_at: now, under_way: true, pieces: partitions, bottles: 0, repaired: 0 });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Claims a free partition of the run under way; undefined if there is none. */
  async claimPartition(now: Date, leaseMs: number): Promise<ClaimedPartition | undefined> {
    const claim = newClaim(now, leaseMs);
    const run = await this.runs
      .findOneAndUpdate(
        { under_way: true, ...hasFreePartition(now) },
        { $set: { 'pieces.$.claim': claim } },
        { returnDocument: 'after' },
      )
      .lean<ReconcileRun>();
    const partition = run && partitionClaimedBy(run.pieces, claim);
    return run && partition ? { ...partition, run: run._id, claim } : undefined;
  }

  /** Records progress and renews the lease. @returns false if another notifier has taken over the partition. */
  async advance(
    { run, claim }: ClaimedPartition,
    after: Types.ObjectId,
    progress: PartitionProgress,
    until: Date,
  ): Promise<boolean> {
    const done = await this.runs.updateOne(claimedPartition(run, claim), {
      $set: { 'pieces.$.after': after, 'pieces.$.claim.until': until },
      $inc: progress,
    });
    return done.matchedCount === 1;
  }

  async finishPartition({ run, claim }: ClaimedPartition, progress: PartitionProgress): Promise<void> {
    await this.runs.updateOne(claimedPartition(run, claim), { ...PARTITION_DONE, $inc: progress });
  }

  /** Releases an unfinished partition, so that another notifier can claim it at once. */
  async releasePartition({ run, claim }: ClaimedPartition): Promise<void> {
    await this.runs.updateOne(claimedPartition(run, claim), PARTITION_RELEASED);
  }

  /** Ends the run under way if all its partitions are done. */
  async finishRun(now: Date): Promise<void> {
    await this.runs.updateOne(
      { under_way: true, ...ALL_PARTITIONS_DONE },
      { $set: { finished_at: now }, $unset: { under_way: '' } },
    );
  }
}

function claimedPartition(run: Types.ObjectId, claim: Claim): object {
  return { _id: run, ...hasPartitionClaimedBy(claim) };
}
