import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import { Alert, type AlertEvent } from './alert.schema.js';

type UpdateFilter = mongo.UpdateFilter<mongo.Document>;

/** An alert whose owed steps are queued, and when the next is owed. */
export interface Stepped {
  alert: Alert;
  next: Date | undefined;
  /** Whether one of them was more than the first. */
  escalated: boolean;
}

/** What alerts still owe: steps of their escalation, and the news of their end. */
@Injectable()
export class AlertDuesRepository {
  constructor(@InjectModel(Alert.name) private readonly alerts: Model<Alert>) {}

  /** Alerts of which a step is owed, longest owed first. While its trouble is away none is. */
  findDueSteps(now: Date, limit: number): Promise<Alert[]> {
    return this.alerts
      .find({ next_step_at: { $lte: now }, clears_at: { $exists: false } })
      .sort({ next_step_at: 1 })
      .limit(limit)
      .lean<Alert[]>();
  }

  /** Notes that the owed steps are queued and arms the next ones; an alert that changed meanwhile stays as it is. */
  async armNextSteps(steps: Stepped[], at: Date): Promise<void> {
    const event: AlertEvent = { event: 'escalated', at, by: 'notifier' };
    const armed = steps.filter(({ alert }) => alert.next_step_at !== undefined);
    const updates = [...alike(armed).values()].map((group) => {
      const [{ alert: first, next, escalated }] = group;
      return {
        updateMany: {
          filter: { ...among(group.map(({ alert }) => alert)), next_step_at: first.next_step_at! },
          update: {
            $set: { stepped_until: at, ...(next ? { next_step_at: next } : {}) },
            $unset: { snoozed_until: '', ...(next ? {} : { next_step_at: '' }) },
            ...(escalated ? { $push: { history: event } } : {}),
          } as unknown as UpdateFilter,
        },
      };
    });
    if (updates.length > 0) await this.alerts.collection.bulkWrite(updates, { ordered: false });
  }

  /** Ends the alerts whose trouble has stayed away for long enough; from then on their end is owed. */
  async endCleared(now: Date): Promise<void> {
    const event: AlertEvent = { event: 'resolved', at: now, by: 'notifier' };
    await this.alerts.collection.updateMany({ clears_at: { $lte: now }, open: true }, [
      {
        $set: {
          state: 'resolved',
          ended_at: '$cleared_at',
          end_owed: 'resolved',
          history: { $concatArrays: ['$history', [event]] },
        },
      },
      { $unset: ['open', 'next_step_at', 'snoozed_until', 'cleared_at', 'clears_at'] },
    ]);
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
    const ends = [...new Set(alerts.map(({ end_owed }) => end_owed!))];
    await this.alerts.collection.bulkWrite(
      ends.map((end_owed) => ({
        updateMany: {
          filter: { ...among(alerts.filter((alert) => alert.end_owed === end_owed)), end_owed },
          update: { $unset: { end_owed: '' } },
        },
      })),
      { ordered: false },
    );
  }
}

type Some<T> = [T, ...T[]];

/** Those that one update serves: in a page of alerts that were raised together, all. */
function alike(steps: Stepped[]): Map<string, Some<Stepped>> {
  const groups = new Map<string, Some<Stepped>>();
  for (const step of steps) {
    const { alert, next, escalated } = step;
    const key = `${alert.next_step_at?.getTime()} ${next?.getTime()} ${escalated}`;
    const group = groups.get(key);
    if (group) group.push(step);
    else groups.set(key, [step]);
  }
  return groups;
}

/** By id, and by bottle, which is the shard key. */
function among(alerts: Alert[]): mongo.Filter<mongo.Document> {
  return {
    _id: { $in: alerts.map(({ _id }) => _id) },
    bottle_id: { $in: alerts.map(({ bottle_id }) => bottle_id) },
  };
}
