import { type AlertKind, alertKindsThat } from '#domain';
import {
  CronSetting,
  DurationSetting,
  FlagSetting,
  HttpUrl,
  IncomingKey,
  IntegerSetting,
  LinkSecret,
  OperatorConfig,
  OptionalText,
  PortSetting,
  PushSecret,
  type RateLimit,
  RateLimitSetting,
  WebhookSecret,
} from '#platform';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, Matches, ValidateIf } from 'class-validator';
import ms from 'ms';

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
export class NotifierConfig extends OperatorConfig {
  /** Port; `0` picks a free one. */
  @PortSetting()
  NOTIFIER_PORT = 3002;

  /** When the sweep for open bottles runs, in addition to each deadline. */
  @CronSetting()
  CHECK_OPEN_BOTTLES_CRON = '* * * * *';

  /** When the sweep for silent bottles runs. */
  @CronSetting()
  CHECK_SILENT_BOTTLES_CRON = '*/5 * * * *';

  /** When the sweep for doses runs, in addition to each deadline. */
  @CronSetting()
  CHECK_DOSES_CRON = '* * * * *';

  /** When the states of all bottles are compared with the log. */
  @CronSetting()
  RECONCILE_CRON = '17 * * * *';

  /** Maximum bottles per second that each notifier compares. */
  @IntegerSetting(1, 100_000)
  RECONCILE_RATE = 1_000;

  /** Where the operator receives notifications; without it, they are printed to the notifier's output. */
  @IsOptional()
  @HttpUrl()
  WEBHOOK_URL?: string;

  /**
   * The watchdogs' addresses, `http://watchdog:3003/webhook`, separated by a space; they receive the notifications of
   * their canaries, and may be in a private network.
   */
  @OptionalText(
    /^https?:\/\/\S+( https?:\/\/\S+)*$/,
    'must be addresses that start with http:// or https://, separated by a space',
  )
  CANARY_WEBHOOK_URL?: string;

  /**
   * Signs webhooks (Standard Webhooks): `whsec_` and base64; during a rotation, the new and the old one separated by a
   * space.
   *
   * @secret
   */
  @IsOptional()
  @WebhookSecret()
  WEBHOOK_SECRET?: string;

  /**
   * The mail server, `smtp://` or `smtps://`, with user and password if it requires them, and without parameters, since
   * some of them switch the checks of TLS off. Without it, no e-mail is sent.
   *
   * @secret
   */
  @OptionalText(/^smtps?:\/\/[^\s?#]+$/, 'must start with smtp:// or smtps://, without parameters')
  SMTP_URL?: string;

  /**
   * `true` sends e-mail also without TLS; without it, a mail server at `smtp://` must offer STARTTLS with a valid
   * certificate.
   */
  @FlagSetting()
  SMTP_ALLOW_PLAIN = false;

  /** `true` names the medication in e-mails; without it, they name the end of the bottle's id. */
  @FlagSetting()
  MAIL_NAMES_MEDICATION = false;

  /** The sender of e-mails. */
  @OptionalText()
  MAIL_FROM = 'Pillwatch <pillwatch@localhost>';

  /** Which kind of gateway sends SMS: `twilio`, or `kannel` for Kannel and others that have its `sendsms`. */
  @IsIn(['twilio', 'kannel'], { message: '$property must be twilio or kannel' })
  SMS_GATEWAY: 'twilio' | 'kannel' = 'kannel';

  /**
   * The gateway, with user and password: `http://USER:PASSWORD@kannel:13013/cgi-bin/sendsms`, or
   * `https://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com`; it may be in a private network. Without it, no SMS is sent.
   *
   * @secret
   */
  @OptionalText(
    /^https?:\/\/[^\s/?#:@]+:[^\s/?#:@]+@[^\s?#]+$/,
    'must start with http:// or https://, with user and password, without parameters',
  )
  SMS_URL?: string;

  /** The sender of SMS: a number such as `+4930123456`, a name, or the id of a Twilio messaging service. Twilio needs it. */
  @ValidateIf(
    ({ SMS_FROM, SMS_GATEWAY, SMS_URL }: NotifierConfig) =>
      SMS_FROM !== undefined || (SMS_GATEWAY === 'twilio' && SMS_URL !== undefined),
  )
  @Matches(/^(\+[1-9]\d{5,14}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11})$/, {
    message: '$property must be a number or a name; with SMS_GATEWAY=twilio, it is needed',
  })
  SMS_FROM?: string;

  /** `true` names the medication in SMS; without it, they name the end of the bottle's id. */
  @FlagSetting()
  SMS_NAMES_MEDICATION = false;

  /**
   * What a gateway for SMS sends people's replies with to support-api, as the password of HTTP Basic: 32 to 128 letters,
   * digits or `._~-`; without it, replies are not taken. With it, SMS name the digits that answer them.
   *
   * @secret
   */
  @IncomingKey()
  SMS_INCOMING_KEY?: string;

  /**
   * By which the push services of browsers know who sends; at least 32 characters, the same in both services. Without it,
   * no page offers to show messages in the browser; with another, people must add their browsers again; `npm start`
   * creates one.
   *
   * @secret
   */
  @PushSecret()
  PUSH_KEY?: string;

  /** For trials: `true` allows push services in private networks, on this machine, at any port and without TLS. */
  @FlagSetting()
  PUSH_ALLOW_PRIVATE = false;

  /** Messages per recipient and channel; further ones are delayed and sent together. */
  @RateLimitSetting()
  RECIPIENT_THROTTLE?: RateLimit = { times: 30, seconds: 3600 };

  /**
   * The public address of support-api, used for links in messages; with `https:`, the session cookie is sent over TLS
   * only.
   */
  @IsOptional()
  @HttpUrl()
  PUBLIC_URL?: string;

  /**
   * Signs those links; at least 32 characters, the same in both services; during a rotation, the new and the old one
   * separated by a space; `npm start` creates one.
   *
   * @secret
   */
  @LinkSecret()
  LINK_SECRET?: string;

  /**
   * When more than this share of the fleet falls silent in one sweep, one `fleet_incident` is raised and users'
   * messages wait.
   */
  @IntegerSetting(1, 100)
  FLEET_INCIDENT_PERCENT = 20;

  /** Fewer silent bottles than this never raise a `fleet_incident`. */
  @IntegerSetting(2, 1_000_000)
  FLEET_INCIDENT_BOTTLES = 10;

  /**
   * A time in which no device-api accepted reports, or no notifier ran its checks, that is longer raises
   * `coverage_gap`.
   */
  @DurationSetting()
  COVERAGE_GAP_AFTER = ms('10m');

  /**
   * How long after such a time bottles may take to send what they stored, before people are notified of doses that
   * cannot be confirmed.
   */
  @DurationSetting()
  COVERAGE_GRACE = ms('30m');

  /** A bottle that holds fewer pills than the doses of this many days raises `low_supply`. */
  @IntegerSetting(1, 60)
  LOW_SUPPLY_DAYS = 3;

  /** So many doses missed in a row raise `doses_missed_in_a_row`; `0` is never. */
  @IntegerSetting(0, 30)
  MISSED_IN_A_ROW = 3;

  /** Hold-down: how long a flapping alert's condition must stay clear before `resolved` is sent. */
  @DurationSetting()
  CLEAR_DELAY = ms('2h');

  /** [Alert kinds](semantics.md#kinds-of-alerts) that are not raised, separated by commas. */
  @DisabledKinds()
  DISABLED_ALERTS: AlertKind[] = [];

  disables(kind: AlertKind): boolean {
    return this.DISABLED_ALERTS.includes(kind);
  }

  /** `true` allows receivers in private networks and on this machine. */
  @FlagSetting()
  WEBHOOK_ALLOW_PRIVATE = false;
}
