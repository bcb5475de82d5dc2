import { type Role, ROLES } from '#persistence';
import {
  DurationSetting,
  FlagSetting,
  HttpUrl,
  IncomingKey,
  LinkSecret,
  OperatorConfig,
  OptionalText,
  PortSetting,
  PushSecret,
  type RateLimit,
  RateLimitSetting,
  TrustedProxies,
} from '#platform';
import { IsIn, IsOptional, Matches, ValidateIf } from 'class-validator';
import ms from 'ms';

/** The settings of support-api. */
export class SupportApiConfig extends OperatorConfig {
  /** Port; `0` picks a free one. */
  @PortSetting()
  SUPPORT_API_PORT = 3001;

  /**
   * An admin API key for the first steps: at least 32 letters, digits or `._~+/=-`; refused once an admin has an
   * account; `npm start` creates one and keeps it in `DATA_DIR`.
   *
   * @secret
   */
  @OptionalText(/^[\w.~+/=-]{32,512}$/, 'must be 32 to 512 letters, digits or . _ ~ + / = -')
  ADMIN_TOKEN?: string;

  /**
   * `true` accepts `ADMIN_TOKEN` also while an admin has an account; `npm start` and the demo, which make such an
   * account, set it unless you set it.
   */
  @FlagSetting()
  KEEP_ADMIN_TOKEN = false;

  /**
   * The lowest role that must use a second factor (an authenticator app): `viewer`, `support` or `admin`; people of
   * other roles may; `off`: nobody is asked for one, as in the demo and `npm run dev`.
   */
  @IsIn([...ROLES, 'off'], { message: '$property must be viewer, support, admin or off' })
  SECOND_FACTOR: Role | 'off' = 'admin';

  /**
   * Encrypts the secrets of authenticator apps: at least 32 characters; needed unless `SECOND_FACTOR=off`; with
   * another key, everyone needs a recovery code or a reset; `npm start` creates one.
   *
   * @secret
   */
  @ValidateIf(({ SECOND_FACTOR }: SupportApiConfig) => SECOND_FACTOR !== 'off')
  @Matches(/^\S{32,}$/, {
    message: '$property must have at least 32 characters and no spaces, or SECOND_FACTOR must be off',
  })
  SECOND_FACTOR_KEY?: string;

  /** A session ends after this long without activity; the console then clears the page. */
  @DurationSetting()
  SESSION_IDLE_TIMEOUT = ms('15m');

  /**
   * Signs the links in notifications. The notifier needs the same value.
   *
   * @secret
   */
  @LinkSecret()
  LINK_SECRET?: string;

  /** The address at which people reach this service. The notifier needs the same value. */
  @IsOptional()
  @HttpUrl()
  PUBLIC_URL?: string;

  /** Whether e-mails name the medication. The notifier needs the same value. */
  @FlagSetting()
  MAIL_NAMES_MEDICATION = false;

  /** Whether SMS name the medication. The notifier needs the same value. */
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
   * The key with whose public part browsers subscribe. The notifier needs the same value.
   *
   * @secret
   */
  @PushSecret()
  PUSH_KEY?: string;

  /** Whether browsers are added whose push service is in a private network. The notifier needs the same value. */
  @FlagSetting()
  PUSH_ALLOW_PRIVATE = false;

  /** Requests allowed per API key or session; counted by each process; `off`: no limit. */
  @RateLimitSetting()
  STAFF_RATE_LIMIT?: RateLimit = { times: 6_000, seconds: 60 };

  @TrustedProxies()
  TRUSTED_PROXIES?: string;

  /**
   * A file outside the database and its backups that lists every erasure; each start repeats those that a restored
   * backup does not contain, and fails if the file cannot be written.
   */
  @OptionalText()
  ERASURES_FILE?: string;

  /** Whether browsers use TLS. */
  get overTls(): boolean {
    return this.PUBLIC_URL?.startsWith('https:') ?? false;
  }
}
