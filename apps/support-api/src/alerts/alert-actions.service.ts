import {
  ACTIVE_STATES,
  type AlertActor,
  type AlertEvent,
  alertKindFacts,
  type Closing,
  DAY_MS,
  type Decision,
  DECISION_HOLD_MS,
  decisionOf,
  type IncidentDecision,
  isCarer,
  personIn,
} from '#domain';
import {
  type Alert,
  AlertActionsRepository,
  AlertsRepository,
  ContactsRepository,
  StaffRepository,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { Staff } from '../auth/staff.js';
import { toObjectId } from '../http/ids.js';
import {
  type AcknowledgeDto,
  type AlertNoteDto,
  type AssignDto,
  type CloseDto,
  type DecideDto,
  type SnoozeDto,
} from './alert-requests.dto.js';
import { nameOfActor } from './actor.js';
import { lastAssignment, lastStep } from './alert-view.js';
import { type AlertResultDto, type AlertResultsDto } from './alert.dto.js';

const LONGEST_SNOOZE = 7 * DAY_MS;

/** An action of a person on an alert. */
export type AlertAction =
  | ({ verb: 'acknowledge' } & AcknowledgeDto)
  | ({ verb: 'snooze' } & SnoozeDto)
  | ({ verb: 'close' } & CloseDto)
  | ({ verb: 'assign'; note?: string } & AssignDto)
  | ({ verb: 'note' } & AlertNoteDto)
  | ({ verb: 'confirm' | 'dismiss' | 'withdraw' } & DecideDto);

const RULES: Record<AlertAction['verb'], string> = {
  acknowledge: 'only an open one can be acknowledged',
  snooze: 'only an open or acknowledged one can be snoozed',
  close: 'only an open or acknowledged one can be closed',
  assign: 'only an open or acknowledged one can be assigned',
  note: 'it has no notes',
  confirm: 'only a fleet incident that waits for a decision can be confirmed',
  dismiss: 'only a fleet incident that waits for a decision can be dismissed',
  withdraw: 'only the decision about a fleet incident that lasts can be withdrawn',
};

/** Acts on alerts. If two people do the same at once, the second one gets an error that names the first. */
@Injectable()
export class AlertActionsService {
  private readonly logger = new Logger(AlertActionsService.name);

  constructor(
    private readonly alerts: AlertsRepository,
    private readonly actions: AlertActionsRepository,
    private readonly contacts: ContactsRepository,
    private readonly staff: StaffRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws Problem 400 for a time that is not in the future, or `other` without a note; 404; 409 `alert_not_open` with the current state, who
   * brought it there and when; 409 `assigned_meanwhile` with whom it is assigned to, who did so and when; 409
   * `not_an_incident`
   */
  async apply(id: Types.ObjectId, caller: Staff, action: AlertAction): Promise<Alert> {
    const changed = await this.tryApply(id, caller, action);
    if (changed) return changed;
    const alert = await this.alerts.findById(id);
    if (!alert) throw Problem.notFound('alert');
    if (!alertKindFacts(alert.kind).aboutFleet && ['confirm', 'dismiss', 'withdraw'].includes(action.verb)) {
      throw new Problem(409, 'not_an_incident', `This alert is ${alert.kind}; ${RULES[action.verb]}.`);
    }
    if (isAssignedMeanwhile(alert, action)) throw assignedMeanwhile(alert);
    const refusal = `This alert is ${await this.currentState(alert)}; ${refusedBy(alert, action)}.`;
    throw new Problem(409, 'alert_not_open', refusal, [
      { field: 'state', code: 'alert_not_open', message: alert.state },
    ]);
  }

  /**
   * Applies the action to each alert independently: neither a refusal nor an error of the database stops the others,
   * which the audit has to name.
   *
   * @throws Problem 400 as {@link apply}
   */
  async applyToMany(ids: string[], caller: Staff, action: AlertAction): Promise<AlertResultsDto> {
    const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
    const results = await Promise.all(
      distinct.map((id) =>
        this.applyToOne(id, caller, action).catch((error: unknown) => {
          if (error instanceof Problem) throw error;
          this.logger.error(error, { alert_id: id });
          return resultOf(id, 503, 'database_error');
        }),
      ),
    );
    return { results };
  }

  private async applyToOne(id: string, caller: Staff, action: AlertAction): Promise<AlertResultDto> {
    const changed = await this.tryApply(toObjectId(id, 'ids'), caller, action);
    if (changed) return resultOf(id, 200, null, changed);
    const alert = await this.alerts.findById(toObjectId(id, 'ids'));
    if (!alert) return resultOf(id, 404, 'alert_not_found');
    const code = isAssignedMeanwhile(alert, action) ? 'assigned_meanwhile' : 'alert_not_open';
    const result = resultOf(id, 409, code, alert);
    const step = lastStepFor(code, alert);
    return step ? { ...result, by: (await this.nameOf(step, alert)) ?? step.by } : result;
  }

  /** @throws Problem 400 for an account that is not there, or is deactivated */
  private async assignee(to: string, { id, name }: Staff): Promise<Alert['assigned_to']> {
    if (to === 'nobody') return undefined;
    if (to === 'me') return { id, name };
    const account = await this.staff.findById(toObjectId(to, 'to'));
    if (!account || account.disabled)
      throw Problem.field('to', 'unknown_account', 'to must be the id of an active account');
    return { id: to, name: account.name };
  }

  /** Assigns the alert, unless somebody else did meanwhile. Null when it is not active, or they did. */
  private async assign(
    id: Types.ObjectId,
    caller: Staff,
    { to, seen_assignee: seen }: AssignDto,
    stored: AlertActor,
  ): Promise<Alert | null> {
    const assignee = await this.assignee(to, caller);
    const seenId = seen === 'me' ? caller.id : seen;
    const assigned = await this.actions.assign(id, assignee, stored, seenId === 'nobody' ? null : seenId);
    if (assigned || seen === undefined) return assigned;
    // a repeated request: it is assigned so already
    const alert = await this.alerts.findById(id);
    return alert && ACTIVE_STATES.includes(alert.state) && alert.assigned_to?.id === assignee?.id
      ? alert
      : null;
  }

  /** `acknowledged, by Carol Smith at 2026-03-01T12:00:00.000Z`: who was first. */
  private async currentState(alert: Alert): Promise<string> {
    const step = lastStep(alert);
    if (!step) return alert.state;
    const name = await this.nameOf(step, alert);
    const who = name ?? (isCarer({ recipient: step.by }) ? 'the carer' : 'the patient');
    return `${alert.state}, by ${who} at ${step.at.toISOString()}`;
  }

  /** The name of who did a step; undefined of a person of whom the contact has none. */
  private async nameOf({ by, at }: AlertEvent, { user_id }: Alert): Promise<string | undefined> {
    const [contact] = personIn(by) === undefined ? [] : await this.contacts.findByUsers([user_id]);
    return nameOfActor(by, at, contact);
  }

  private async tryApply(id: Types.ObjectId, caller: Staff, action: AlertAction): Promise<Alert | null> {
    const { name } = caller;
    const at = this.clock.now();
    const stored: AlertActor = { by: name, at, note: action.note };
    switch (action.verb) {
      case 'acknowledge':
        return (await this.actions.acknowledge(id, stored)) ?? this.actions.stopSteps(id, stored);
      case 'snooze':
        return this.actions.snooze(id, readEnd(action.until, at), stored, action.seen_state);
      case 'close': {
        const closing = closingBy(name, at, action);
        const alert = await this.alerts.findById(id);
        return alert && this.actions.close(alert, closing, action.seen_state);
      }
      case 'assign':
        return this.assign(id, caller, action, stored);
      case 'note':
        return this.actions.note(id, stored);
      case 'confirm':
        return this.actions.decide(id, decisionBy(name, at, 'confirmed'), stored);
      case 'dismiss':
        return this.actions.decide(id, decisionBy(name, at, 'dismissed'), stored);
      case 'withdraw':
        return this.actions.withdrawDecision(id, stored);
    }
  }
}

/** @throws Problem 400 `missing_field` for the reason `other` without a note */
export function closingBy(by: string, at: Date, { reason, note, notify = true }: CloseDto): Closing {
  if (reason === 'other' && !note?.trim())
    throw Problem.field('note', 'missing_field', 'note is required with the reason "other"');
  return { by, at, reason, notified: notify, ...(note !== undefined && { note }) };
}

function decisionBy(by: string, at: Date, outcome: Decision): IncidentDecision {
  return { outcome, by, at, takes_effect_at: new Date(at.getTime() + DECISION_HOLD_MS) };
}

/** @throws Problem 400 `out_of_range` */
function readEnd(until: string, now: Date): Date {
  const end = new Date(until);
  if (end <= now || end.getTime() - now.getTime() > LONGEST_SNOOZE) {
    throw Problem.field('until', 'out_of_range', 'until must be in the future, at most 7 days ahead');
  }
  return end;
}

function refusedBy(alert: Alert, action: AlertAction): string {
  const stale =
    'seen_state' in action && action.seen_state !== undefined && ACTIVE_STATES.includes(alert.state);
  if (action.verb === 'close' && alertKindFacts(alert.kind).aboutFleet && !decisionOf(alert))
    return 'an incident is closed only after a decision';
  return stale ? `it was ${action.seen_state} when you saw it` : RULES[action.verb];
}

/** An assignment was refused because of another: it is refused for nothing else while the alert is active. */
function isAssignedMeanwhile({ state }: Alert, { verb }: AlertAction): boolean {
  return verb === 'assign' && ACTIVE_STATES.includes(state);
}

function assignedMeanwhile(alert: Alert): Problem {
  const { name = 'nobody' } = alert.assigned_to ?? {};
  const step = lastAssignment(alert);
  const by = step ? `, by ${step.by} at ${step.at.toISOString()}` : '';
  return new Problem(409, 'assigned_meanwhile', `This alert was assigned to ${name}${by}.`, [
    { field: 'seen_assignee', code: 'assigned_meanwhile', message: name },
  ]);
}

function lastStepFor(code: string | null, alert: Alert): AlertEvent | undefined {
  return code === 'assigned_meanwhile' ? lastAssignment(alert) : lastStep(alert);
}

function resultOf(id: string, status: number, code: string | null, alert?: Alert): AlertResultDto {
  const step = alert && lastStepFor(code, alert);
  const bottle_id = alert?.bottle_id.toHexString() ?? null;
  return {
    id,
    bottle_id,
    status,
    code,
    state: alert?.state ?? null,
    by: step?.by ?? null,
    at: step?.at ?? null,
    assigned_to: alert?.assigned_to ?? null,
  };
}
