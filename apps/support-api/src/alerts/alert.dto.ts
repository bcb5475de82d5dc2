import {
  ALERT_ENDINGS,
  ALERT_EVENTS,
  ALERT_KINDS,
  ALERT_STATES,
  type AlertKind,
  CLOSE_REASONS,
  DECISIONS,
} from '#domain';
import {
  BooleanField,
  EnumField,
  IdField,
  InstantField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
} from '#platform';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { MessagePreviewDto } from './message-preview.js';

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

  @TextField({
    nullable: true,
    description: 'The name of `acknowledged_by`; null of a person without one.',
  })
  acknowledged_by_name: string | null;

  @InstantField({ nullable: true })
  acknowledged_at: Date | null;

  @NumberField({ description: 'Notifications about it that could not be delivered.' })
  dead_deliveries: number;
}

export class ListedAlertDto extends AlertDto {
  @TextField({ nullable: true, description: 'Of the user, from the contact; null if there is none.' })
  user_name: string | null;

  @TextField({ nullable: true, description: 'By which people tell the bottle from their other ones.' })
  label: string | null;

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

  @TextField({
    description: '`notifier`, the name of a member of staff, or who followed the link of a message.',
  })
  by: string;

  @TextField({ nullable: true, description: 'The name of `by`; null of a person without one.' })
  by_name: string | null;

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
