import { type AlertKind, alertKindsThat } from '#domain';
import {
  CronSetting,
  DurationSetting,
  FlagSetting,
  HttpUrl,
  IntegerSetting,
  LinkSecret,
  OptionalText,
  PortSetting,
  type RateLimit,
  RateLimitSetting,
  ServiceConfig,
  WebhookSecret,
} from '#platform';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';

/** The kinds that an operator may do without. */
const OPTIONAL_KINDS = alertKindsThat('optional');

/** A list of alert kinds, separated by commas. */
function DisabledKinds(): PropertyDecorator {
  const message = `$property must be a list of ${OPTIONAL_KINDS.join(', ')}`;
  return applyDecorators(
    Transform(
      ({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(/\s*,\s*/) : value),
      {
        toClassOnly: true,
      },
    ),
    IsIn(OPTIONAL_KINDS, { each: true, message }),
  );
}

/** The notifier's settings. Cron expressions are in UTC. */
export class NotifierConfig extends ServiceConfig {
  @PortSetting()
  NOTIFIER_PORT = 3002;

  @CronSetting()
  CHECK_OPEN_BOTTLES_CRON = '* * * * *';

  @CronSetting()
  CHECK_SILENT_BOTTLES_CRON = '*/5 * * * *';

  @CronSetting()
  CHECK_DOSES_CRON = '* * * * *';

  @CronSetting()
  RECONCILE_CRON = '17 * * * *';

  /** Maximum number of bottles per second that each notifier compares in a reconcile. */
  @IntegerSetting(1, 100_000)
  RECONCILE_RATE = 1_000;

  /** Where the operator receives notifications; without it they go to the notifier's output. */
  @IsOptional()
  @HttpUrl()
  WEBHOOK_URL?: string;

  /** The watchdogs, which receive the notifications of their canaries in place of the operator. */
  @OptionalText(
    /^https?:\/\/\S+( https?:\/\/\S+)*$/,
    'must be addresses that start with http:// or https://, separated by a space',
  )
  CANARY_WEBHOOK_URL?: string;

  /** The receiver's Standard Webhooks secret. */
  @IsOptional()
  @WebhookSecret()
  WEBHOOK_SECRET?: string;

  /**
   * The mail server, smtp:// or smtps://, with user and password if it requires them. Parameters are refused: some of them
   * switch the checks of TLS off.
   */
  @OptionalText(/^smtps?:\/\/[^\s?#]+$/, 'must start with smtp:// or smtps://, without parameters')
  SMTP_URL?: string;

  /** Sends e-mail also without TLS, if the mail server at `smtp://` offers none. */
  @FlagSetting()
  SMTP_ALLOW_PLAIN = false;

  /** Whether e-mails name the medication. support-api, which previews them, has the same. */
  @FlagSetting()
  MAIL_NAMES_MEDICATION = false;

  /** The sender of e-mails. */
  @OptionalText()
  MAIL_FROM = 'Pillwatch <pillwatch@localhost>';

  /** Messages per recipient and channel; further notifications are delayed and sent together. */
  @RateLimitSetting()
  RECIPIENT_THROTTLE?: RateLimit = { times: 30, seconds: 60 * 60 };

  /** The public address of support-api: the start of the links in messages. */
  @IsOptional()
  @HttpUrl()
  PUBLIC_URL?: string;

  /** Signs those links; support-api has the same. Without it, or without PUBLIC_URL, messages have no links. */
  @LinkSecret()
  LINK_SECRET?: string;

  /** More than this share of the fleet, in percent, that falls silent in one sweep is a fleet incident. */
  @IntegerSetting(1, 100)
  FLEET_INCIDENT_PERCENT = 20;

  /** Fewer bottles than this are never a fleet incident. */
  @IntegerSetting(2, 1_000_000)
  FLEET_INCIDENT_BOTTLES = 10;

  /** A time without reports accepted, or without checks, that is longer raises `coverage_gap`. */
  @DurationSetting()
  COVERAGE_GAP_AFTER = 10 * 60_000;

  /** How long after such a time bottles may take to send what they stored before people are notified of their doses. */
  @DurationSetting()
  COVERAGE_GRACE = 30 * 60_000;

  /** A bottle with less than the doses of this many days raises `low_supply`. */
  @IntegerSetting(1, 60)
  LOW_SUPPLY_DAYS = 3;

  /** Hold-down: how long the condition of a flapping alert must stay clear before `resolved` is sent. */
  @DurationSetting()
  CLEAR_DELAY = 2 * 60 * 60_000;

  /** Alert kinds that are not raised, separated by commas. */
  @DisabledKinds()
  DISABLED_ALERTS: AlertKind[] = [];

  disables(kind: AlertKind): boolean {
    return this.DISABLED_ALERTS.includes(kind);
  }

  /** Allows receivers in private networks and on this machine. */
  @FlagSetting()
  WEBHOOK_ALLOW_PRIVATE = false;
}
