import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import { Alert, type AlertEvent } from './alert.schema.js';

type UpdateFilter = mongo.UpdateFilter<mongo.Document>;

/** What alerts still owe: steps of their escalation, and the news of their end. */
@Injectable()
export class AlertDuesRepository {
  constructor(@InjectModel(Alert.name) private readonly alerts: Model<Alert>) {}

  /** Alerts of which a step is owed, longest owed first. */
  findDueSteps(now: Date, limit: number): Promise<Alert[]> {
    return this.alerts
      .find({ next_step_at: { $lte: now } })
      .sort({ next_step_at: 1 })
      .limit(limit)
      .lean<Alert[]>();
  }

  /** Notes that the owed steps are queued and arms the next ones; an alert that changed meanwhile stays as it is. */
  async armNextSteps(
    steps: { alert: Alert; next: Date | undefined; escalated: boolean }[],
    at: Date,
  ): Promise<void> {
    const event: AlertEvent = { event: 'escalated', at, by: 'notifier' };
    const updates = steps.flatMap(({ alert, next, escalated }) =>
      alert.next_step_at === undefined
        ? []
        : {
            updateOne: {
              filter: { _id: alert._id, bottle_id: alert.bottle_id, next_step_at: alert.next_step_at },
              update: {
                $set: { stepped_until: at, ...(next ? { next_step_at: next } : {}) },
                $unset: { snoozed_until: '', ...(next ? {} : { next_step_at: '' }) },
                ...(escalated ? { $push: { history: event } } : {}),
              } as unknown as UpdateFilter,
            },
          },
    );
    if (updates.length > 0) await this.alerts.collection.bulkWrite(updates, { ordered: false });
  }

  /** Alerts that have ended and whose end nobody has been told yet. */
  findOwedEnds(limit: number): Promise<Alert[]> {
    return this.alerts
      .find({ end_owed: { $exists: true } })
      .limit(limit)
      .lean<Alert[]>();
  }

  /** The messages of these ends are queued. An alert that was retracted meanwhile owes that still. */
  async clearOwedEnds(alerts: Alert[]): Promise<void> {
    await this.alerts.collection.bulkWrite(
      alerts.map(({ _id, bottle_id, end_owed }) => ({
        updateOne: { filter: { _id, bottle_id, end_owed: end_owed! }, update: { $unset: { end_owed: '' } } },
      })),
      { ordered: false },
    );
  }
}
