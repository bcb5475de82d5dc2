import {
  type AlertEvent,
  type AlertKind,
  type AlertToRaise,
  type Id,
  type Learned,
  namedDoses,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, Types } from 'mongoose';
import { ALERT, type Alert, type AlertRecord } from './alert.schema.js';
import { toObjectId } from '../database/object-id.js';
import { readAll } from './read-alert.js';

/** Alerts raised longer ago than this do not count as flapping. Milliseconds. */
const OLDEST_MS = 30 * 24 * 60 * 60_000;

/** An open alert whose condition cleared; it may return until `clears_at`. */
export interface ClearedAlert {
  alert: { _id: Id; bottle_id: Id };
  cleared_at: Date;
  clears_at: Date;
  evidence: Learned;
}

/** What the evidence of a clearing says, of all kinds that can flap. It is not true any more once the condition is back. */
const HOW_IT_CLEARED = { 'evidence.heard_again_at': '', 'evidence.ended_by': '' };

/** Flapping alerts: they stay open during a hold-down after their condition cleared. */
@Injectable()
export class FlappingAlertsRepository {
  constructor(@InjectModel(ALERT) private readonly alerts: Model<AlertRecord>) {}

  /** The alerts of these kinds and bottles that have ended since then. */
  findEnded(bottleIds: Types.ObjectId[], kinds: AlertKind[], since: Date): Promise<Alert[]> {
    return readAll(
      this.alerts
        .find({
          bottle_id: { $in: bottleIds },
          raised_at: { $gte: new Date(since.getTime() - OLDEST_MS) },
          kind: { $in: kinds },
          ended_at: { $gte: since },
        })
        .hint('by_bottle_and_time')
        .lean<AlertRecord[]>(),
    );
  }

  /** Records that conditions cleared: the alerts end at `clears_at`. Leaves a hold-down that has begun as it is. */
  async recordCleared(cleared: ClearedAlert[], at: Date): Promise<void> {
    const event: AlertEvent = { event: 'cleared', at, by: 'notifier' };
    await this.write(
      cleared.map(({ alert, cleared_at, clears_at, evidence }) => ({
        filter: {
          _id: toObjectId(alert._id),
          bottle_id: alert.bottle_id,
          open: true,
          clears_at: { $exists: false },
        },
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
  async recordReturned(returns: readonly AlertToRaise[], at: Date): Promise<Alert[]> {
    const event: AlertEvent = { event: 'returned', at, by: 'notifier' };
    await this.write(
      returns.map((one) => ({
        filter: {
          ...placeOf(one),
          open: true,
          state: { $ne: 'closed' },
          clears_at: { $exists: true },
        },
        update: {
          $set: { returned_for: one.cause, ...inEvidence(one.evidence, 'unconfirmed_doses') },
          $unset: { cleared_at: '', clears_at: '', ...HOW_IT_CLEARED },
          $push: { history: event },
          ...(namedDoses(one).length > 0 && {
            $addToSet: { 'evidence.unconfirmed_doses': { $each: namedDoses(one) } },
          }),
        },
      })),
    );
    return readAll(
      this.alerts
        .find({
          $or: returns.map((one) => ({ ...placeOf(one), open: true, returned_for: one.cause })),
        })
        .lean<AlertRecord[]>(),
    );
  }

  private async write(updates: { filter: mongo.Filter<mongo.Document>; update: object }[]): Promise<void> {
    const updateOnes = updates.map((updateOne) => ({ updateOne }));
    await this.alerts.collection.bulkWrite(updateOnes, { ordered: false });
  }
}

/** Where the alert of a condition stands: one that is open is the only one there. */
function placeOf({
  bottle,
  kind,
  subject,
}: AlertToRaise): Pick<AlertRecord, 'bottle_id' | 'kind' | 'subject'> {
  return { bottle_id: toObjectId(bottle._id), kind, subject };
}

/** The fields of an update. @param but one that is left as it is */
function inEvidence(evidence: Learned, but?: string): Record<string, unknown> {
  const entries = Object.entries(evidence).filter(([key]) => key !== but);
  return Object.fromEntries(entries.map(([key, value]) => [`evidence.${key}`, value]));
}
