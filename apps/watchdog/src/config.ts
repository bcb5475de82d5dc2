import {
  DurationSetting,
  HttpUrl,
  ListenSetting,
  OperationsKeySetting,
  PortSetting,
  type RateLimit,
  RateLimitSetting,
  WebhookSecret,
} from '#platform';
import { IsOptional, IsString, Matches } from 'class-validator';
import ms from 'ms';

/** The watchdog's settings. It does not use the database. */
export class WatchdogConfig {
  /** The address of this machine at which the service listens. */
  @ListenSetting()
  LISTEN = '127.0.0.1';

  /** Port; `0` picks a free one. */
  @PortSetting()
  WATCHDOG_PORT = 3003;

  /** Opens `/metrics`, which nobody gets without it; `off` opens it to everyone. */
  @OperationsKeySetting()
  OPERATIONS_KEY?: string;

  /** Wrong signatures, and wrong operations keys, allowed per address. Each process counts for itself. */
  @RateLimitSetting()
  WRONG_TOKEN_LIMIT?: RateLimit = { times: 60, seconds: 60 };

  /**
   * The dead man's switch, such as a check of healthchecks.io: `/start`, nothing (success) or `/fail` is appended.
   *
   * @secret
   */
  @HttpUrl()
  WATCHDOG_PING_URL: string;

  /** The public address of device-api, as bottles reach it. */
  @HttpUrl()
  WATCHDOG_DEVICE_API_URL: string;

  /** The public address of support-api, as staff reach it. */
  @HttpUrl()
  WATCHDOG_SUPPORT_API_URL: string;

  /**
   * An API key with the role viewer.
   *
   * @secret
   */
  @IsString({ message: 'WATCHDOG_API_KEY must be an API key of support-api' })
  WATCHDOG_API_KEY: string;

  /** The canary, as `POST /v1/canaries` returned it. */
  @Matches(/^[0-9a-f]{24}$/, { message: 'WATCHDOG_BOTTLE_ID must be the bottle_id of a canary' })
  WATCHDOG_BOTTLE_ID: string;

  /**
   * The canary's token.
   *
   * @secret
   */
  @IsString({ message: 'WATCHDOG_BOTTLE_TOKEN must be the token of the canary' })
  WATCHDOG_BOTTLE_TOKEN: string;

  /**
   * The notifier's; webhooks must be signed with it.
   *
   * @secret
   */
  @WebhookSecret()
  WEBHOOK_SECRET: string;

  /**
   * Where mails to the canary come in by SMTP; with it, a cycle succeeds only when they came back, too
   * ([watchdog.md](watchdog.md#mail)).
   */
  @IsOptional()
  @PortSetting()
  WATCHDOG_SMTP_PORT?: number;

  /** As the other services have it. */
  @DurationSetting()
  OPEN_BOTTLE_AFTER = ms('5m');
}
