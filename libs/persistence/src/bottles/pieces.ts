import { type Claim, unclaimed } from '../database/claim.js';
import type { Stretch } from './bottles.repository.js';

/**
 * A stretch of the fleet that one notifier walks at a time. A walk that several share is a document with `pieces`;
 * here is what its filters and updates have in common.
 */
export interface Piece extends Stretch {
  claim?: Claim;
  done?: true;
}

/** Matches a walk with a piece that nobody holds; `pieces.$` is that piece. */
export function hasFreePiece(now: Date): object {
  return { pieces: { $elemMatch: { done: null, $or: unclaimed('claim', now) } } };
}

/** Matches a walk of which every piece is done. */
export const ALL_PIECES_DONE = { pieces: { $not: { $elemMatch: { done: null } } } };

/** Matches a walk with the piece that is held by this claim, as `pieces.$`. */
export function hasPieceOf({ token }: Claim): object {
  return { pieces: { $elemMatch: { 'claim.token': token } } };
}

/** The piece that was won by a claim. */
export function pieceOf<P extends Piece>(pieces: readonly P[], { token }: Claim): P | undefined {
  return pieces.find(({ claim }) => claim?.token === token);
}

/** Parts of an update: the piece is walked to its end; it goes back, for whoever comes next. */
export const PIECE_DONE = { $set: { 'pieces.$.done': true }, $unset: { 'pieces.$.claim': '' } };
export const PIECE_RELEASED = { $unset: { 'pieces.$.claim': '' } };
