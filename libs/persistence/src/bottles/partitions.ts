import type { Types } from 'mongoose';
import { type Claim, unclaimed } from '../database/claim.js';

/** A range of bottle ids, `after` exclusive and `upto` inclusive; an absent end is open. */
export interface IdRange {
  after?: Types.ObjectId;
  upto?: Types.ObjectId;
}

/**
 * A part of the fleet that one notifier takes at a time. A run that several notifiers share is a document with its
 * partitions in the field `pieces`; the filters and updates below apply to any such document.
 */
export interface Partition extends IdRange {
  claim?: Claim;
  done?: true;
}

/** Matches a run with an unclaimed partition; `pieces.$` is that partition. */
export function hasFreePartition(now: Date): object {
  return { pieces: { $elemMatch: { done: null, $or: unclaimed('claim', now) } } };
}

/** Matches a run whose partitions are all done. */
export const ALL_PARTITIONS_DONE = { pieces: { $not: { $elemMatch: { done: null } } } };

/** Matches a run with the partition under this claim, as `pieces.$`. */
export function hasPartitionClaimedBy({ token }: Claim): object {
  return { pieces: { $elemMatch: { 'claim.token': token } } };
}

export function partitionClaimedBy<P extends Partition>(
  partitions: readonly P[],
  { token }: Claim,
): P | undefined {
  return partitions.find(({ claim }) => claim?.token === token);
}

export const PARTITION_DONE = { $set: { 'pieces.$.done': true }, $unset: { 'pieces.$.claim': '' } };
export const PARTITION_RELEASED = { $unset: { 'pieces.$.claim': '' } };
