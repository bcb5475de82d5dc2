import {
  ALERT_ENDINGS,
  ALERT_EVENTS,
  ALERT_KINDS,
  ALERT_STATES,
  type AlertEvent,
  type AlertKind,
  type AlertState,
  CLOSE_REASONS,
  type CloseReason,
  type Closing,
  decisionOf,
  DECISIONS,
  endingOf,
  statementIn,
} from '#domain';
import { type Alert, isDamaged, storedEvidence } from '#persistence';
import {
  BooleanField,
  EnumField,
  IdField,
  IdListField,
  InstantField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
} from '#platform';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { PageQuery } from '../http/paging.js';
import { viewOf } from '../http/view.js';
import { MessagePreviewDto } from './message-preview.js';

/** One page of a list: what a user can select there. */
const MAX_AT_ONCE = 200;

export const ASSIGNED = ['me', 'nobody'] as const;

export const ALERT_ORDERS = ['needs_person', 'comes_back'] as const;
export type AlertOrder = (typeof ALERT_ORDERS)[number];

export class ListAlertsQuery extends PageQuery {
  @EnumField(ALERT_STATES, { optional: true })
  state?: AlertState;

  @EnumField(ALERT_KINDS, { optional: true })
  kind?: AlertKind;

  @IdField({ optional: true })
  bottle_id?: string;

  @EnumField(ALERT_ORDERS, {
    optional: true,
    description:
      'Default: newest first. needs_person: open alerts that are not snoozed, the most urgent kind first, within a ' +
      'kind the oldest first. comes_back: snoozed alerts, within a kind the one whose snooze ends first. ' +
      'Both can be combined with kind, but not with state or bottle_id.',
  })
  order?: AlertOrder;

  @EnumField(ASSIGNED, {
    optional: true,
    description:
      'With the order needs_person. me: those of the caller, also acknowledged and snoozed ones. nobody: those that ' +
      'need attention and are not assigned.',
  })
  assigned?: (typeof ASSIGNED)[number];
}

export class AcknowledgeDto {
  @TextField({ optional: true, max: 1000, description: 'What is being done about it.' })
  note?: string;
}

/** Guards against undoing an action of somebody else. */
class SeenDto {
  @EnumField(['open', 'acknowledged'], {
    optional: true,
    description: 'The state in which you saw the alert. If it is another by now, the response is 409.',
  })
  seen_state?: 'open' | 'acknowledged';
}

export class SnoozeDto extends SeenDto {
  @InstantField({ description: 'No notifications before this time; at most 7 days ahead.' })
  until: string;

  @TextField({ optional: true, max: 1000 })
  note?: string;
}

export class CloseDto extends SeenDto {
  @EnumField(CLOSE_REASONS)
  reason: CloseReason;

  @TextField({
    optional: true,
    max: 1000,
    description:
      'Required with the reason `other`, and then part of the message to people. With another reason only staff see it.',
  })
  note?: string;

  @BooleanField({
    optional: true,
    description:
      'Whether everyone who was notified of the alert is notified of the closing. Default: true, because they ' +
      'were notified of a problem and wait for the end of it.',
  })
  notify?: boolean;
}

export class AssignDto {
  @TextField({
    pattern: /^(me|nobody|[0-9a-f]{24})$/,
    hint: 'must be me, nobody, or the id of an account',
    description: '`me`, `nobody`, or the id of an account.',
  })
  to: string;

  @TextField({
    optional: true,
    max: 100,
    description:
      'Whom the alert was assigned to when you saw it: `me`, `nobody`, or the id in `assigned_to`. If it is assigned ' +
      'to somebody else by now, other than `to`, the response is 409.',
  })
  seen_assignee?: string;
}

export class AlertNoteDto {
  @TextField({ max: 1000, description: 'Staff read it in the history; messages do not contain it.' })
  note: string;
}

export class DecideDto {
  @TextField({ optional: true, max: 1000, description: 'The reason for the decision.' })
  note?: string;
}

const IdsField = (): PropertyDecorator => IdListField({ max: MAX_AT_ONCE, description: 'The alerts.' });

export class AcknowledgeManyDto extends AcknowledgeDto {
  @IdsField()
  ids: string[];
}

export class SnoozeManyDto extends SnoozeDto {
  @IdsField()
  ids: string[];
}

export class CloseManyDto extends CloseDto {
  @IdsField()
  ids: string[];
}

export class AssignManyDto extends AssignDto {
  @IdsField()
  ids: string[];
}

export class AssigneeDto {
  @TextField({ description: 'Of the account, or of the API key.' })
  id: string;

  @TextField()
  name: string;
}

export class ClosingDto {
  @TextField({ description: 'The staff member or API key.' })
  by: string;

  @InstantField()
  at: Date;

  @EnumField(CLOSE_REASONS)
  reason: string;

  @TextField({ nullable: true })
  note: string | null;

  @BooleanField({
    description: 'Whether the people who were notified of the alert were to be notified of the closing.',
  })
  notified: boolean;
}

/** One message that a closing sends. */
export class ClosingMessageDto extends MessagePreviewDto {
  @InstantField({ nullable: true, description: 'Quiet hours delay it until then.' })
  not_before: Date | null;
}

export class ClosingPreviewDto {
  @ListField(() => ClosingMessageDto, {
    description: 'Messages of one recipient and e-mail address may be sent as one.',
  })
  messages: ClosingMessageDto[];
}

export class DecisionDto {
  @EnumField(DECISIONS)
  outcome: string;

  @TextField()
  by: string;

  @InstantField()
  at: Date;

  @InstantField({ description: 'From then on the notifications of a confirmed incident are sent.' })
  takes_effect_at: Date;
}

export class AlertDto {
  @IdField()
  id: string;

  @IdField()
  bottle_id: string;

  @TextField()
  user_id: string;

  @TextField()
  medication: string;

  @EnumField(ALERT_KINDS)
  kind: string;

  @TextField({ description: 'For missed_dose: the dose.' })
  subject: string;

  @EnumField(ALERT_STATES)
  state: string;

  @InstantField({ description: 'The deadline that passed.' })
  deadline: Date;

  @InstantField()
  raised_at: Date;

  @InstantField({ nullable: true, description: 'When its condition ended.' })
  ended_at: Date | null;

  @EnumField(ALERT_ENDINGS, {
    nullable: true,
    description:
      'How it ended; null while it is open or acknowledged. A closed alert may still end otherwise.',
  })
  ended_as: string | null;

  @ObjectField(() => ClosingDto, {
    nullable: true,
    description: 'Who closed it and why; stays when its condition ends later.',
  })
  closing: ClosingDto | null;

  @InstantField({ nullable: true, description: 'No notifications before this time.' })
  snoozed_until: Date | null;

  @ObjectField(() => AssigneeDto, { nullable: true, description: 'Who takes care of it.' })
  assigned_to: AssigneeDto | null;

  @TextField({ nullable: true })
  acknowledged_by: string | null;

  @InstantField({ nullable: true })
  acknowledged_at: Date | null;

  @NumberField({ description: 'Notifications about it that could not be delivered.' })
  dead_deliveries: number;
}

export class ListedAlertDto extends AlertDto {
  @TextField({
    nullable: true,
    description: 'Of the patient: IANA name. Null if the alert is about no single bottle.',
  })
  time_zone: string | null;
}

export class AlertEventDto {
  @EnumField(ALERT_EVENTS)
  event: string;

  @InstantField()
  at: Date;

  @TextField()
  by: string;

  @TextField({ nullable: true })
  note: string | null;

  @TextField({ nullable: true, description: 'Of `assigned`: the name of whom.' })
  to: string | null;

  @EnumField(CLOSE_REASONS, { nullable: true, description: 'Of `closed_by_staff`.' })
  reason: string | null;
}

export class SuppressedDto {
  @EnumField(ALERT_KINDS)
  kind: AlertKind;

  @TextField()
  reason: string;

  @InstantField()
  at: Date;
}

export class AlertDetailDto extends ListedAlertDto {
  @JsonField({ description: 'The inputs of the rule, and the numbers it decided by.' })
  evidence: object;

  @ListField(() => SuppressedDto, {
    description: 'Alerts that were not raised because of this one, and why.',
  })
  suppressed: SuppressedDto[];

  @BooleanField({
    description:
      'Staff dismissed this fleet incident as our own fault: users are not notified of its silences.',
  })
  dismissed: boolean;

  @ObjectField(() => DecisionDto, {
    nullable: true,
    description:
      'What staff decided about this fleet incident; null while its notifications wait for a decision.',
  })
  decision: DecisionDto | null;

  @BooleanField({
    description: 'The condition comes and goes: `resolved` is sent after it has stayed clear.',
  })
  flapping: boolean;

  @InstantField({ nullable: true, description: 'When a flapping condition cleared; null while it lasts.' })
  cleared_at: Date | null;

  @InstantField({ nullable: true, description: 'When the alert resolves if the condition stays clear.' })
  clears_at: Date | null;

  @InstantField({ nullable: true, description: 'When the next escalation step is due.' })
  next_step_at: Date | null;

  @ListField(() => AlertEventDto, { description: 'Oldest first.' })
  history: AlertEventDto[];

  @ListField(() => DeliveryDto, { description: 'Its notifications, with every attempt.' })
  deliveries: DeliveryDto[];
}

/** What became of one of several alerts. */
export class AlertResultDto {
  @IdField()
  id: string;

  @IdField({ nullable: true })
  bottle_id: string | null;

  @NumberField({ description: 'The status of the same request for this alert alone: 200, 404, 409 or 503.' })
  status: number;

  @TextField({ nullable: true, description: 'Why it was refused; null on success.' })
  code: string | null;

  @TextField({ nullable: true, description: 'The current state; null if the alert does not exist.' })
  state: string | null;

  @TextField({
    nullable: true,
    description: 'Who brought it into that state; with `assigned_meanwhile`, who assigned it.',
  })
  by: string | null;

  @InstantField({ nullable: true, description: 'When they did.' })
  at: Date | null;

  @ObjectField(() => AssigneeDto, { nullable: true, description: 'Who takes care of it.' })
  assigned_to: AssigneeDto | null;
}

export class AlertResultsDto {
  @ListField(() => AlertResultDto, { description: 'In the order of the request, each alert once.' })
  results: AlertResultDto[];
}

/** The events that bring an alert into a state. */
const LEADS_TO: Record<Alert['state'], readonly AlertEvent['event'][]> = {
  open: ['raised', 'snoozed'],
  acknowledged: ['acknowledged', 'confirmed', 'dismissed'],
  closed: ['closed_by_staff'],
  resolved: ['resolved', 'missed'],
  retracted: ['retracted'],
};

/** Who brought the alert into its current state, and when. */
export function lastStep({ state, history }: Pick<Alert, 'state' | 'history'>): AlertEvent | undefined {
  return history.findLast(({ event }) => LEADS_TO[state].includes(event));
}

/** Who assigned the alert last, to somebody or to nobody. */
export function lastAssignment({ history }: Pick<Alert, 'history'>): AlertEvent | undefined {
  return history.findLast(({ event }) => event === 'assigned' || event === 'unassigned');
}

/** Who acknowledged the alert, while it is acknowledged. */
function acknowledgement(alert: Alert): Pick<AlertDto, 'acknowledged_by' | 'acknowledged_at'> {
  const step = alert.state === 'acknowledged' ? lastStep(alert) : undefined;
  return { acknowledged_by: step?.by ?? null, acknowledged_at: step?.at ?? null };
}

/** What earlier versions recorded as resolved by a person, was closed; a statement about the dose closes nothing. */
function closingOf({ closing, history, evidence }: Alert): Closing | undefined {
  const resolved = history.findLast(({ event, by }) => event === 'resolved' && by !== 'notifier');
  if (closing || !resolved || statementIn(evidence)) return closing;
  const { by, at, note } = resolved;
  return { by, at, reason: 'other', notified: true, ...(note !== undefined && { note }) };
}

/** How the alert ended, and who closed it. */
function ending(alert: Alert): Pick<AlertDto, 'ended_as'> & { closing: Closing | undefined } {
  if (isDamaged(alert)) return { ended_as: null, closing: alert.closing };
  const closing = closingOf(alert);
  const state = closing && !alert.closing ? 'closed' : alert.state;
  return { ended_as: endingOf({ ...alert, state }) ?? null, closing };
}

/** @param dead the numbers of notifications that could not be delivered, by alert id; none if absent */
export function alertView(alert: Alert, dead: ReadonlyMap<string, number>): AlertDto {
  const dead_deliveries = dead.get(alert._id.toHexString()) ?? 0;
  return viewOf(AlertDto, { ...alert, ...acknowledgement(alert), ...ending(alert), dead_deliveries });
}

/** @param deliveries of this alert @param time_zone the patient's */
export function alertDetailView(
  alert: Alert,
  deliveries: DeliveryDto[],
  time_zone: string | undefined,
): AlertDetailDto {
  return viewOf(AlertDetailDto, {
    ...alert,
    evidence: storedEvidence(alert) as object,
    time_zone,
    ...acknowledgement(alert),
    ...ending(alert),
    dead_deliveries: deliveries.filter(({ status }) => status === 'dead').length,
    suppressed: alert.suppressed ?? [],
    dismissed: decisionOf(alert) === 'dismissed',
    flapping: alert.flapping ?? false,
    deliveries,
  });
}
