import {
  ALL_PARTITIONS_DONE,
  type Claim,
  hasFreePartition,
  hasPartitionClaimedBy,
  newClaim,
  type Partition,
  PARTITION_DONE,
  PARTITION_RELEASED,
  partitionClaimedBy,
  unclaimed,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';
import { duplicatesOf } from '../collections/upsert.js';
import type { ComparedRange } from '../comparing/comparison.js';
import type { MinuteLog } from '../comparing/report-log.js';
import type { TierDocument } from '../tiers/tier-document.js';
import { MINUTE } from '../time/units.js';

/** A piece that is this process's until its lease runs out. */
export type ClaimedPartition = Partition & {
  claim: Claim;
  round: Pick<ComparingRound, 'began_at' | 'range'>;
};

type MinuteSums = Record<string, Record<string, Pick<MinuteLog, 'least' | 'most'>>>;

/** One comparison of the last hours with the log of the whole fleet, in pieces that the notifiers take one by one. */
export interface ComparingRound {
  _id: 'reports';
  began_at: Date;
  range: ComparedRange;
  /** What the minutes had counted when it began: whatever is counted is in the log that is read after that. */
  counted: TierDocument[];
  pieces: Partition[];
  /** What the actions of the pieces that are done come to, by minute (since 1970) and key. */
  logged?: MinuteSums;
  /** Who finishes it, when all pieces are done. */
  claim?: Claim;
}

const NAME = 'ts_rounds';
/** There is one round at a time, whatever number of notifiers begin one at the same second. */
const _id = 'reports';

/** The round under way: every query on `ts_rounds`. */
@Injectable()
export class ComparingRoundsRepository {
  constructor(private readonly collections: RangedCollections) {}

  /** Begins a round, unless one is under way. */
  async begin(round: Pick<ComparingRound, 'began_at' | 'range' | 'counted' | 'pieces'>): Promise<void> {
    const rounds = await this.rounds();
    await duplicatesOf(() => rounds.insertOne({ _id, ...round }));
  }

  /** A piece that nobody holds. Undefined when there is none. */
  async claimPartition(now: Date, leaseMs: number): Promise<ClaimedPartition | undefined> {
    const claim = newClaim(now, leaseMs);
    const round = await (
      await this.rounds()
    ).findOneAndUpdate(
      { _id, ...hasFreePartition(now) },
      { $set: { 'pieces.$.claim': claim } },
      { returnDocument: 'after', projection: { logged: 0, counted: 0 } },
    );
    const piece = round && partitionClaimedBy(round.pieces, claim);
    return round && piece ? { ...piece, claim, round } : undefined;
  }

  /** False when the piece is no longer ours: whoever has it now reads it from its beginning. */
  async renew(piece: ClaimedPartition, until: Date): Promise<boolean> {
    return this.changePiece(piece, { $set: { 'pieces.$.claim.until': until } });
  }

  /** Adds what the log of the piece comes to, once: not if it is no longer ours. */
  async finishPartition(piece: ClaimedPartition, minutes: readonly MinuteLog[]): Promise<void> {
    const added = new Map<string, number>();
    const add = (path: string, amount: number): void => void added.set(path, (added.get(path) ?? 0) + amount);
    for (const { minute, key, least, most } of minutes) {
      const path = `logged.${minute.getTime() / MINUTE}.${key}`;
      add(`${path}.least`, least);
      add(`${path}.most`, most);
    }
    await this.changePiece(piece, {
      ...PARTITION_DONE,
      ...(added.size > 0 ? { $inc: Object.fromEntries(added) } : {}),
    });
  }

  /** Lets a piece go unread, for whoever comes next. */
  async releasePartition(piece: ClaimedPartition): Promise<void> {
    await this.changePiece(piece, PARTITION_RELEASED);
  }

  /** The round, when all of its pieces are done and nobody else finishes it. */
  async claimFinish(now: Date, leaseMs: number): Promise<ComparingRound | undefined> {
    const round = await (
      await this.rounds()
    ).findOneAndUpdate(
      { _id, ...ALL_PARTITIONS_DONE, $or: unclaimed('claim', now) } as never,
      { $set: { claim: newClaim(now, leaseMs) } },
      { returnDocument: 'after' },
    );
    return round ?? undefined;
  }

  async releaseFinish({ claim }: ComparingRound): Promise<void> {
    await (
      await this.rounds()
    ).updateOne({ _id, 'claim.token': claim!.token } as never, { $unset: { claim: '' } });
  }

  async end({ claim }: ComparingRound): Promise<void> {
    await (await this.rounds()).deleteOne({ _id, 'claim.token': claim!.token } as never);
  }

  private async changePiece(
    { claim }: ClaimedPartition,
    update: mongo.UpdateFilter<mongo.Document>,
  ): Promise<boolean> {
    const ours = { _id, ...hasPartitionClaimedBy(claim) };
    const { matchedCount } = await (await this.rounds()).updateOne(ours as never, update);
    return matchedCount === 1;
  }

  private rounds(): Promise<mongo.Collection<ComparingRound>> {
    return this.collections.get<ComparingRound>(NAME);
  }
}

/** What the pieces that are done come to. */
export function minutesOf({ logged }: ComparingRound): MinuteLog[] {
  return Object.entries(logged ?? {}).flatMap(([minute, keys]) =>
    Object.entries(keys).map(([key, sums]) => ({ minute: new Date(Number(minute) * MINUTE), key, ...sums })),
  );
}
