import { CronSetting, DatabaseConfig, FlagSetting, OptionalText, PortSetting } from '#platform';

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

  /** Where alerts are sent; without it they are written to the log. */
  @OptionalText(/^https?:\/\/\S+$/, 'must start with http:// or https://')
  WEBHOOK_URL?: string;

  /** The receiver's Standard Webhooks secret. */
  @OptionalText(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'must be whsec_ and base64')
  WEBHOOK_SECRET?: string;

  /** Allows addresses of private networks and of this machine as receivers. */
  @FlagSetting()
  WEBHOOK_ALLOW_PRIVATE = false;
}
