import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { mongo, Types, type Model } from 'mongoose';
import {
  ALL_PIECES_DONE,
  hasFreePiece,
  hasPieceOf,
  type Piece,
  PIECE_DONE,
  PIECE_RELEASED,
  pieceOf,
} from '../bottles/pieces.js';
import { type Claim, newClaim } from '../database/claim.js';
import { ReconcileRound } from './reconcile-round.schema.js';

const DUPLICATE_KEY = 11_000;
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** A piece that is this notifier's until its lease runs out. */
export interface ClaimedPiece extends Piece {
  round: Types.ObjectId;
  claim: Claim;
}

/** What was done of a piece. */
export interface PieceProgress {
  bottles: number;
  repaired: number;
}

/** The walks of the reconcile: every query on `reconcile_rounds`. */
@Injectable()
export class ReconcileRoundsRepository {
  constructor(@InjectModel(ReconcileRound.name) private readonly rounds: Model<ReconcileRound>) {}

  /** Begins a round of these pieces, unless one is under way. Rounds of more than a month ago are forgotten. */
  async begin(pieces: Piece[], now: Date): Promise<void> {
    await this.rounds.deleteMany({ under_way: null, began_at: { $lt: new Date(now.getTime() - KEPT_MS) } });
    try {
      await this.rounds.create({ began_at: now, under_way: true, pieces, bottles: 0, repaired: 0 });
    } catch (error) {
      if (!(error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY)) throw error;
    }
  }

  /** A piece of the round under way that nobody holds. Undefined when there is none. */
  async claimPiece(now: Date, leaseMs: number): Promise<ClaimedPiece | undefined> {
    const claim = newClaim(now, leaseMs);
    const round = await this.rounds
      .findOneAndUpdate(
        { under_way: true, ...hasFreePiece(now) },
        { $set: { 'pieces.$.claim': claim } },
        { returnDocument: 'after' },
      )
      .lean<ReconcileRound>();
    const piece = round && pieceOf(round.pieces, claim);
    return round && piece ? { ...piece, round: round._id, claim } : undefined;
  }

  /**
   * Notes how far a piece has been walked and renews the lease. False when it is no longer ours: whoever has it
   * now goes on from what was noted last.
   */
  async advance(
    { round, claim }: ClaimedPiece,
    after: Types.ObjectId,
    progress: PieceProgress,
    until: Date,
  ): Promise<boolean> {
    const done = await this.rounds.updateOne(ours(round, claim), {
      $set: { 'pieces.$.after': after, 'pieces.$.claim.until': until },
      $inc: progress,
    });
    return done.matchedCount === 1;
  }

  /** The piece is walked to its end. */
  async finishPiece({ round, claim }: ClaimedPiece, progress: PieceProgress): Promise<void> {
    await this.rounds.updateOne(ours(round, claim), {
      ...PIECE_DONE,
      $inc: progress,
    });
  }

  /** Lets a piece go before its end, for whoever comes next. */
  async releasePiece({ round, claim }: ClaimedPiece): Promise<void> {
    await this.rounds.updateOne(ours(round, claim), PIECE_RELEASED);
  }

  /** Ends the round under way if every piece of it is done. */
  async finishRound(now: Date): Promise<void> {
    await this.rounds.updateOne(
      { under_way: true, ...ALL_PIECES_DONE },
      { $set: { finished_at: now }, $unset: { under_way: '' } },
    );
  }
}

function ours(round: Types.ObjectId, claim: Claim): object {
  return { _id: round, ...hasPieceOf(claim) };
}
