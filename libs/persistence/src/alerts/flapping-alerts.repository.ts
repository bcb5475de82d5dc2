import type { AlertKind } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, Types } from 'mongoose';
import { Alert, type AlertEvent, type Evidence } from './alert.schema.js';

/** Alerts raised longer ago than this do not count as flapping. Milliseconds. */
const OLDEST_MS = 30 * 24 * 60 * 60_000;

/** An open alert whose condition cleared; it may return until `clears_at`. */
export interface ClearedAlert {
  alert: Pick<Alert, '_id' | 'bottle_id'>;
  cleared_at: Date;
  clears_at: Date;
  evidence: Partial<Evidence>;
}

/** A condition that returned during the hold-down of its alert. */
export interface ReturnedCondition {
  bottle_id: Types.ObjectId;
  kind: AlertKind;
  subject: string;
  /** Identifies this occurrence. */
  cause: Date;
  evidence: Evidence;
}

/** What the evidence of a clearing says, of all kinds that can flap. It is not true any more once the condition is back. */
const HOW_IT_CLEARED = { 'evidence.heard_again_at': '', 'evidence.ended_by': '' };

/** Flapping alerts: they stay open during a hold-down after their condition cleared. */
@Injectable()
export class FlappingAlertsRepository {
  constructor(@InjectModel(Alert.name) private readonly alerts: Model<Alert>) {}

  /** The alerts of these kinds and bottles that have ended since then. */
  findEnded(bottleIds: Types.ObjectId[], kinds: AlertKind[], since: Date): Promise<Alert[]> {
    return this.alerts
      .find({
        bottle_id: { $in: bottleIds },
        raised_at: { $gte: new Date(since.getTime() - OLDEST_MS) },
        kind: { $in: kinds },
        ended_at: { $gte: since },
      })
      .hint('by_bottle_and_time')
      .lean<Alert[]>();
  }

  /** Records that conditions cleared: the alerts end at `clears_at`. Leaves a hold-down that has begun as it is. */
  async recordCleared(cleared: ClearedAlert[], at: Date): Promise<void> {
    const event: AlertEvent = { event: 'cleared', at, by: 'notifier' };
    await this.write(
      cleared.map(({ alert, cleared_at, clears_at, evidence }) => ({
        filter: { _id: alert._id, bottle_id: alert.bottle_id, open: true, clears_at: { $exists: false } },
        update: { $set: { cleared_at, clears_at, ...inEvidence(evidence) }, $push: { history: event } },
      })),
    );
  }

  /**
   * Records that conditions returned: ends the hold-down of their alerts. May be repeated after a crash. An alert that
   * staff closed stays as it is: it ends with its hold-down, and the condition is then a new alert.
   *
   * @returns the alerts that are open for these causes
   */
  async recordReturned(returns: ReturnedCondition[], at: Date): Promise<Alert[]> {
    const event: AlertEvent = { event: 'returned', at, by: 'notifier' };
    await this.write(
      returns.map(({ bottle_id, kind, subject, cause, evidence: { unconfirmed_doses, ...evidence } }) => ({
        filter: {
          bottle_id,
          kind,
          subject,
          open: true,
          state: { $ne: 'closed' },
          clears_at: { $exists: true },
        },
        update: {
          $set: { returned_for: cause, ...inEvidence(evidence) },
          $unset: { cleared_at: '', clears_at: '', ...HOW_IT_CLEARED },
          $push: { history: event },
          ...(Array.isArray(unconfirmed_doses)
            ? { $addToSet: { 'evidence.unconfirmed_doses': { $each: unconfirmed_doses } } }
            : {}),
        },
      })),
    );
    return this.alerts
      .find({
        $or: returns.map(({ bottle_id, kind, subject, cause }) => ({
          bottle_id,
          kind,
          subject,
          open: true,
          returned_for: cause,
        })),
      })
      .lean<Alert[]>();
  }

  private async write(updates: { filter: mongo.Filter<mongo.Document>; update: object }[]): Promise<void> {
    const updateOnes = updates.map((updateOne) => ({ updateOne }));
    await this.alerts.collection.bulkWrite(updateOnes, { ordered: false });
  }
}

function inEvidence(evidence: Partial<Evidence>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(evidence).map(([key, value]) => [`evidence.${key}`, value]));
}
