import { type AlertKind, type AlertToEnd, type AlertToRaise, DAY_MS, onCleared, onReturned } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, Types } from 'mongoose';
import { ALERT, type Alert, type AlertRecord } from './alert.schema.js';
import { asObjectId } from '../database/object-id.js';
import { toAlertUpdate } from './alert-update.js';
import { readAll } from './read-alert.js';

/** Alerts raised longer ago than this do not count as flapping. Milliseconds. */
const OLDEST_MS = 30 * DAY_MS;

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

  /** Records that conditions cleared: the alerts end at `clearsAt`. Leaves a hold-down that has begun as it is. */
  async recordCleared(cleared: readonly AlertToEnd[], clearDelayMs: number, now: Date): Promise<void> {
    await this.write(
      cleared.map(({ alert, ...ending }) => ({
        filter: {
          _id: asObjectId(alert._id),
          bottle_id: alert.bottle_id,
          open: true,
          clears_at: { $exists: false },
        },
        update: toAlertUpdate(onCleared(ending, clearDelayMs, now)),
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
    await this.write(
      returns.map((one) => ({
        filter: {
          ...placeOf(one),
          open: true,
          state: { $ne: 'closed' },
          clears_at: { $exists: true },
        },
        update: toAlertUpdate(onReturned(one, at)),
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
  return { bottle_id: asObjectId(bottle._id), kind, subject };
}
