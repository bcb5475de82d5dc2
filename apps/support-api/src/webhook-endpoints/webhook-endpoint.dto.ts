import { ALERT_KINDS, type AlertKind, WEBHOOK_TYPES, type WebhookType } from '#domain';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IdField,
  InstantField,
  IntegerField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
} from '#platform';

const ADDRESS = {
  max: 2_000,
  pattern: /^https?:\/\/[^\s/?#@]+([/?]\S*)?$/,
  hint: 'must start with http:// or https://, without user and password',
};

const WANTED = {
  kinds: 'The kinds of alerts that are sent there; empty: all.',
  events:
    'The types that are sent there; empty: all. An end that goes to those who were sent the start needs `alert.raised`.',
};

export class CreateWebhookEndpointDto {
  @TextField({ ...ADDRESS, example: 'https://care.example.org/pillwatch' })
  url: string;

  @TextField({ optional: true, max: 200, description: 'For staff.', example: 'Care platform' })
  description?: string;

  @EnumListField(ALERT_KINDS, { optional: true, description: WANTED.kinds })
  kinds?: AlertKind[];

  @EnumListField(WEBHOOK_TYPES, { optional: true, description: WANTED.events })
  events?: WebhookType[];
}

export class ChangeWebhookEndpointDto {
  @TextField({ ...ADDRESS, optional: true })
  url?: string;

  @TextField({ optional: true, min: 0, max: 200, description: 'Empty: none.' })
  description?: string;

  @EnumListField(ALERT_KINDS, { optional: true, description: WANTED.kinds })
  kinds?: AlertKind[];

  @EnumListField(WEBHOOK_TYPES, { optional: true, description: WANTED.events })
  events?: WebhookType[];

  @BooleanField({ optional: true, description: 'While it is paused, what is owed to it waits.' })
  paused?: boolean;
}

export class EndpointTestDto {
  @EnumField(['pending', 'delivered', 'failed'])
  state: string;

  @TextField({ description: 'The name of who asked for it.' })
  by: string;

  @InstantField()
  at: Date;

  @InstantField({ nullable: true })
  attempted_at: Date | null;

  @NumberField({ nullable: true, description: 'HTTP status, if there was a response.' })
  status: number | null;

  @TextField({ nullable: true, description: 'Why it failed.' })
  error: string | null;
}

export class WebhookEndpointDto {
  @IdField({ description: 'Only zeros: the endpoint that WEBHOOK_URL names.' })
  id: string;

  @TextField({ nullable: true, description: 'null: the setting WEBHOOK_URL, which only its operator reads.' })
  url: string | null;

  @TextField({ nullable: true })
  description: string | null;

  @EnumListField(ALERT_KINDS, { description: WANTED.kinds })
  kinds: AlertKind[];

  @EnumListField(WEBHOOK_TYPES, { description: WANTED.events })
  events: WebhookType[];

  @TextField({ description: 'As `channel` of its deliveries.' })
  channel: string;

  @EnumField(['active', 'failing', 'paused', 'disabled'], {
    description:
      'failing: the last attempt failed, and none has succeeded since. paused: by staff. disabled: it failed for 5 days, or answered 410. ' +
      'What is owed to a paused or disabled one waits.',
  })
  state: string;

  @InstantField({ nullable: true })
  paused_at: Date | null;

  @InstantField({ nullable: true })
  disabled_at: Date | null;

  @InstantField({ nullable: true, description: 'When an attempt failed after which none has succeeded.' })
  failing_since: Date | null;

  @InstantField({ nullable: true, description: 'When it will be disabled, if nothing arrives until then.' })
  disabled_from: Date | null;

  @InstantField({ nullable: true, description: 'Until then the secret before signs, too.' })
  old_secret_until: Date | null;

  @InstantField({
    nullable: true,
    description: 'Of the newest notifications, when the last one was delivered.',
  })
  last_delivered_at: Date | null;

  @IntegerField({ min: 0, max: 1e9, description: 'Notifications that wait to be sent there.' })
  waiting: number;

  @IntegerField({
    min: 0,
    max: 1e9,
    description: 'Notifications that failed for good, of those created in the last 24 hours.',
  })
  failed: number;

  @ObjectField(() => EndpointTestDto, { nullable: true, description: 'The last test message.' })
  test: EndpointTestDto | null;

  @InstantField({ nullable: true })
  created_at: Date | null;
}

export class WebhookEndpointsDto {
  @ListField(() => WebhookEndpointDto, {
    description: 'The one that WEBHOOK_URL names first, then oldest first.',
  })
  items: WebhookEndpointDto[];

  @EnumListField(ALERT_KINDS, {
    description:
      'The kinds of which no endpoint takes anything at the moment: what is for the operator is in the notifier’s output.',
  })
  kinds_not_taken: AlertKind[];
}

export class CreatedWebhookEndpointDto extends WebhookEndpointDto {
  @TextField({ description: 'Signs what is sent there. It is shown only once.' })
  secret: string;
}

export class RotateWebhookSecretDto {
  @IntegerField({
    optional: true,
    min: 0,
    max: 168,
    description: 'For so many hours the secret before signs, too. Default: 24.',
  })
  keep_old_for_hours?: number;
}

export class WebhookSecretDto {
  @TextField({ description: 'The new secret. It is shown only once.' })
  secret: string;

  @InstantField({ nullable: true, description: 'Until then the secret before signs, too.' })
  old_secret_until: Date | null;
}

export class ReplayRangeDto {
  @InstantField({
    optional: true,
    example: '2026-03-01T00:00:00Z',
    description: 'Created at this time or later.',
  })
  from?: string;

  @InstantField({ optional: true, example: '2026-03-02T00:00:00Z', description: 'Created before this time.' })
  to?: string;
}

export class ReplayedDto {
  @IntegerField({
    min: 0,
    max: 1e9,
    description: 'The dead notifications that are sent again, at most 1,000: repeat the request for more.',
  })
  replayed: number;
}
