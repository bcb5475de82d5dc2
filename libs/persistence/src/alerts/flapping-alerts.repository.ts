import type { AlertKind } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, Types } from 'mongoose';
import { Alert, type AlertEvent, type Evidence } from './alert.schema.js';

/** No alert that is older than this is remembered for what came and went. Milliseconds. */
const OLDEST_MS = 30 * 24 * 60 * 60_000;

/** The trouble of an open alert has gone, and may come back. */
export interface Clearing {
  alert: Pick<Alert, '_id' | 'bottle_id'>;
  clears_at: Date;
  evidence: Partial<Evidence>;
}

/** A trouble that has come back while its alert waited for the end. */
export interface Return {
  bottle_id: Types.ObjectId;
  kind: AlertKind;
  subject: string;
  /** What makes this time this one. */
  cause: Date;
  evidence: Evidence;
}

/** Alerts whose trouble comes and goes: they stay open while it is away for a time. */
@Injectable()
export class FlappingAlertsRepository {
  constructor(@InjectModel(Alert.name) private readonly alerts: Model<Alert>) {}

  /** The alerts of these kinds and bottles that have ended since. */
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

  /** Their trouble has gone: they end at `clears_at`. One that waits already goes on waiting as it did. */
  async clear(clearings: Clearing[], at: Date): Promise<void> {
    const event: AlertEvent = { event: 'cleared', at, by: 'notifier' };
    await this.write(
      clearings.map(({ alert, clears_at, evidence }) => ({
        filter: { _id: alert._id, bottle_id: alert.bottle_id, open: true, clears_at: { $exists: false } },
        update: { $set: { cleared_at: at, clears_at, ...inEvidence(evidence) }, $push: { history: event } },
      })),
    );
  }

  /**
   * The trouble is back: alerts that waited for their end go on. It may be said again after a crash.
   *
   * @returns those that go on for these causes
   */
  async goOn(returns: Return[], at: Date): Promise<Alert[]> {
    const event: AlertEvent = { event: 'returned', at, by: 'notifier' };
    await this.write(
      returns.map(({ bottle_id, kind, subject, cause, evidence: { unconfirmed_doses, ...evidence } }) => ({
        filter: { bottle_id, kind, subject, open: true, clears_at: { $exists: true } },
        update: {
          $set: { returned_for: cause, ...inEvidence(evidence) },
          $unset: { cleared_at: '', clears_at: '' },
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
