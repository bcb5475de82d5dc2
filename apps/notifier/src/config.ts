import { type AlertKind, alertKindsThat } from '#domain';
import {
  CronSetting,
  DatabaseConfig,
  DurationSetting,
  FlagSetting,
  IntegerSetting,
  LinkSecret,
  OptionalText,
  PortSetting,
  PublicUrl,
  type RateLimit,
  RateLimitSetting,
} from '#platform';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';

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

/** notifier's settings. Cron expressions are read in UTC. */
export class NotifierConfig extends DatabaseConfig {
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

  /** How many bottles a second each notifier's reconcile compares at most. */
  @IntegerSetting(1, 100_000)
  RECONCILE_RATE = 1_000;

  /** Where alerts are sent; without it they are printed on the console. */
  @OptionalText(/^https?:\/\/\S+$/, 'must start with http:// or https://')
  WEBHOOK_URL?: string;

  /** The receiver's Standard Webhooks secret. */
  @OptionalText(
    /^whsec_[A-Za-z0-9+/=]{16,}( whsec_[A-Za-z0-9+/=]{16,})*$/,
    'must be whsec_ and base64; while it is changed, the new and the old one with a space between',
  )
  WEBHOOK_SECRET?: string;

  /** The mail server, smtp:// or smtps://, with user and password if it wants them. */
  @OptionalText(/^smtps?:\/\/\S+$/, 'must start with smtp:// or smtps://')
  SMTP_URL?: string;

  /** Whom mails come from. */
  @OptionalText()
  MAIL_FROM = 'Pillwatch <pillwatch@localhost>';

  /** How many messages a person gets over a channel; what is more waits, and comes together. */
  @RateLimitSetting()
  RECIPIENT_THROTTLE?: RateLimit = { times: 30, seconds: 60 * 60 };

  /** Where people reach support-api: the beginning of the links in messages. */
  @PublicUrl()
  PUBLIC_URL?: string;

  /** Signs those links; support-api has the same. Without it, or without PUBLIC_URL, messages have no links. */
  @LinkSecret()
  LINK_SECRET?: string;

  /** More than this share of the fleet, in percent, that falls silent in one run is one incident of the fleet. */
  @IntegerSetting(1, 100)
  FLEET_INCIDENT_PERCENT = 20;

  /** Fewer bottles than this are never an incident of the fleet. */
  @IntegerSetting(2, 1_000_000)
  FLEET_INCIDENT_BOTTLES = 10;

  /** A bottle is nearly empty when it holds less than the doses of this many days. */
  @IntegerSetting(1, 60)
  LOW_SUPPLY_DAYS = 3;

  /** How long a trouble that comes and goes must have been gone before its end is told. */
  @DurationSetting()
  CLEAR_DELAY = 2 * 60 * 60_000;

  /** Kinds of alerts that are not raised, separated by commas. */
  @DisabledKinds()
  DISABLED_ALERTS: AlertKind[] = [];

  disables(kind: AlertKind): boolean {
    return this.DISABLED_ALERTS.includes(kind);
  }

  /** Allows addresses of private networks and of this machine as receivers. */
  @FlagSetting()
  WEBHOOK_ALLOW_PRIVATE = false;
}
