import {
  ACTIVE_STATES,
  type AlertActor,
  type AlertChange,
  alertKindFacts,
  type AlertState,
  type Closing,
  type IncidentDecision,
  onAcknowledged,
  onAssigned,
  onClosed,
  onDecided,
  onDecisionWithdrawn,
  onLeftBehind,
  onNoted,
  onPromiseWithdrawn,
  onSnoozed,
  onStepsStopped,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { ALERT, type Alert, type AlertRecord } from './alert.schema.js';
import { toAlertUpdate } from './alert-update.js';
import { readOne } from './read-alert.js';

/** Of a fleet incident: staff have decided. */
const DECIDED: QueryFilter<AlertRecord> = { $or: [{ decision: { $ne: null } }, { dismissed: true }] };

/** What people do to an alert. Each is done in the state in which it may be, or not at all. */
@Injectable()
export class AlertActionsRepository {
  constructor(@InjectModel(ALERT) private readonly alerts: Model<AlertRecord>) {}

  /** Acknowledges an open alert. Null when it is not open. */
  acknowledge(id: Types.ObjectId, actor: AlertActor): Promise<Alert | null> {
    return this.changeActive(id, onAcknowledged(actor), { state: 'open' });
  }

  /** Stops the steps that are still to come of an alert that has ended. Null when there are none. */
  stopSteps(id: Types.ObjectId, actor: AlertActor): Promise<Alert | null> {
    return this.change(
      { _id: id, state: 'resolved', next_step_at: { $exists: true } },
      onStepsStopped(actor),
    );
  }

  /**
   * Records the staff's decision about a fleet incident, and that they take it over. Null when it is not an open or
   * acknowledged incident without a decision.
   */
  decide(id: Types.ObjectId, decision: IncidentDecision, actor: AlertActor): Promise<Alert | null> {
    const undecided = { kind: 'fleet_incident', decision: null, dismissed: null } as const;
    return this.changeActive(id, onDecided(decision, actor), undecided);
  }

  /** Withdraws the decision: what is not sent yet waits again. Null when the incident has ended or has none. */
  withdrawDecision(id: Types.ObjectId, actor: AlertActor): Promise<Alert | null> {
    return this.changeActive(id, onDecisionWithdrawn(actor), { kind: 'fleet_incident', ...DECIDED });
  }

  /**
   * Sends nothing more about the alert before `until`; then the last step repeats. Null when it has ended, or is in
   * another state than the person saw.
   */
  snooze(id: Types.ObjectId, until: Date, actor: AlertActor, seen?: AlertState): Promise<Alert | null> {
    return this.changeActive(id, onSnoozed(until, actor), {}, seen);
  }

  /** Withdraws a promise. Null when the alert has ended, or is in another state than the person saw. */
  withdrawPromise(id: Types.ObjectId, actor: AlertActor, seen: AlertState): Promise<Alert | null> {
    return this.changeActive(id, onPromiseWithdrawn(seen, actor), {}, seen);
  }

  /**
   * Assigns an alert to a member of staff, or to nobody. Null when it is neither open nor acknowledged, or assigned to
   * somebody else than the person saw.
   *
   * @param seen the id of whom they saw; null for nobody
   */
  assign(
    id: Types.ObjectId,
    to: Alert['assigned_to'],
    actor: AlertActor,
    seen?: string | null,
  ): Promise<Alert | null> {
    return this.changeActive(id, onAssigned(to, actor), seen === undefined ? {} : { 'assigned_to.id': seen });
  }

  /** Adds a note to an alert, whatever its state. Null if there is none. */
  note(id: Types.ObjectId, actor: AlertActor): Promise<Alert | null> {
    return this.change({ _id: id }, onNoted(actor));
  }

  /** Closes an alert. Null when it has ended or is closed already, or is in another state than the person saw. */
  close(
    { _id, kind }: Pick<Alert, '_id' | 'kind'>,
    closing: Closing,
    seen?: AlertState,
  ): Promise<Alert | null> {
    // an incident that waits for a decision stays in sight
    const closable = alertKindFacts(kind).aboutFleet ? DECIDED : {};
    return this.changeActive(_id, onClosed(kind, closing), closable, seen);
  }

  /** Closes and ends the alerts of a bottle that leaves use: its condition is not followed any more. */
  async closeOfBottle(alerts: readonly Pick<Alert, '_id' | 'kind'>[], closing: Closing): Promise<void> {
    for (const { _id, kind } of alerts) await this.changeActive(_id, onLeftBehind(kind, closing), {});
  }

  /** Changes an open or acknowledged alert. Null when it is neither, or in another state than the person saw. */
  private changeActive(
    id: Types.ObjectId,
    change: AlertChange,
    filter: QueryFilter<AlertRecord>,
    seen?: AlertState,
  ): Promise<Alert | null> {
    const state = filter.state ?? seen ?? { $in: ACTIVE_STATES };
    return this.change({ ...filter, _id: id, open: true, state }, change);
  }

  private change(filter: QueryFilter<AlertRecord>, change: AlertChange): Promise<Alert | null> {
    return readOne(
      this.alerts
        .findOneAndUpdate(filter, toAlertUpdate(change), { returnDocument: 'after' })
        .lean<AlertRecord>(),
    );
  }
}
