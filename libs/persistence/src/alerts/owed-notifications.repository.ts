import { type AlertEvent, groupBy, onQuarantine } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import { BOTTLE_STATE, type StoredBottleState } from '../bottle-states/bottle-state.schema.js';
import { toUpdate } from '../bottle-states/state-update.js';
import { ALERT, type Alert, type AlertRecord } from './alert.schema.js';
import { asEnded, readAll, storedEvidence } from './read-alert.js';

type UpdateFilter = mongo.UpdateFilter<mongo.Document>;

/** An alert whose due steps are queued, and when the next one is due. */
export interface QueuedSteps {
  alert: Alert;
  next: Date | undefined;
  /** Whether one of them came after the first. */
  escalated: boolean;
}

/** None is due while the condition is cleared. */
const dueSteps = (now: Date) => ({ next_step_at: { $lte: now }, clears_at: { $exists: false } });
const cleared = (now: Date) => ({ clears_at: { $lte: now }, open: true as const });
const OWED_ENDS = { end_owed: { $exists: true } };

/** Finds the alerts that still owe notifications: due steps of their escalation, and their end. */
@Injectable()
export class OwedNotificationsRepository {
  constructor(
    @InjectModel(ALERT) private readonly alerts: Model<AlertRecord>,
    @InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>,
  ) {}

  /** Whether any alert owes something now: a step, the end of its hold-down, or the notifications of its end. */
  async owesAny(now: Date): Promise<boolean> {
    const owing = { $or: [dueSteps(now), cleared(now), OWED_ENDS] };
    return (await this.alerts.exists(owing)) !== null;
  }

  /** Alerts with a due escalation step, longest due first. */
  findDueSteps(now: Date, limit: number): Promise<Alert[]> {
    return readAll(
      this.alerts.find(dueSteps(now)).sort({ next_step_at: 1 }).limit(limit).lean<AlertRecord[]>(),
    );
  }

  /** Records that the due steps are queued and arms the next ones; leaves alerts that changed meanwhile. */
  async armNextSteps(steps: QueuedSteps[], at: Date): Promise<void> {
    const event: AlertEvent = { event: 'escalated', at, by: 'notifier' };
    const armed = steps.filter(({ alert }) => alert.next_step_at !== undefined);
    // one update serves all whose steps and next steps are at the same times: of alerts raised together, all
    const groups = groupBy(
      armed,
      ({ alert, next, escalated }) =>
        `${alert.next_step_at?.getTime()} ${next?.getTime()} ${escalated} ${alert.doses_added?.length}`,
    );
    const updates = [...groups.values()].map((group) => {
      const [{ alert: first, next, escalated }] = group;
      return {
        updateMany: {
          filter: {
            ...filterOf(group.map(({ alert }) => alert)),
            next_step_at: first.next_step_at!,
            // a dose that was added meanwhile may be due earlier
            [`doses_added.${first.doses_added?.length ?? 0}`]: { $exists: false },
          },
          hint: '_id_',
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

  /**
   * Quarantines an alert that cannot be read: it owes nothing any more, and staff see the error on its bottle. One that
   * has changed since it was read stays as it is: another notifier may have read what this one could not.
   *
   * @returns whether it was as it was read
   */
  async quarantine(alert: Alert, failure: { check: string; error: string; at: Date }): Promise<boolean> {
    const done = await this.alerts.collection.updateOne(asRead(alert), {
      $unset: { next_step_at: '', end_owed: '' },
    });
    if (done.matchedCount === 0) return false;
    await this.states.updateOne({ _id: alert.bottle_id }, toUpdate(onQuarantine(undefined, failure)));
    return true;
  }

  /** Resolves the alerts whose hold-down has passed; from then on the notification of their end is owed. */
  async endCleared(now: Date): Promise<void> {
    const event: AlertEvent = { event: 'resolved', at: now, by: 'notifier' };
    await this.alerts.collection.updateMany(cleared(now), [
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

  /** Alerts that have ended and whose end notifications are not queued yet. */
  findOwedEnds(limit: number): Promise<Alert[]> {
    return readAll(this.alerts.find(OWED_ENDS).limit(limit).lean<AlertRecord[]>());
  }

  /**
   * Records that the notifications of these ends are queued. An alert that ended otherwise meanwhile, or by the same
   * event with another part of the dose or another statement, still owes that one.
   */
  async clearOwedEnds(alerts: Alert[]): Promise<void> {
    if (alerts.length === 0) return;
    const groups = groupBy(alerts, (alert) => JSON.stringify([alert.end_owed, asEnded(alert)]));
    await this.alerts.collection.bulkWrite(
      [...groups.values()].map((group) => ({
        updateMany: {
          filter: { ...filterOf(group), end_owed: group[0].end_owed!, ...asEnded(group[0]) },
          hint: '_id_',
          update: { $unset: { end_owed: '' } },
        },
      })),
      { ordered: false },
    );
  }
}

/** Matches an alert with the values that were read, whatever they are, and that owes nothing else. */
function asRead(alert: Alert): mongo.Filter<mongo.Document> {
  const values = { next_step_at: null, end_owed: null, ...alert, evidence: storedEvidence(alert) };
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, { $eq: value }]));
}

/** Filters by id and by bottle, which is the shard key. */
function filterOf(alerts: Alert[]): mongo.Filter<mongo.Document> {
  return {
    _id: { $in: alerts.map(({ _id }) => _id) },
    bottle_id: { $in: alerts.map(({ bottle_id }) => bottle_id) },
  };
}
