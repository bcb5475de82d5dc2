import { type Role, ROLES } from '#persistence';
import {
  DurationSetting,
  FlagSetting,
  HttpUrl,
  LinkSecret,
  OptionalText,
  PortSetting,
  ServiceConfig,
  TrustedProxies,
} from '#platform';
import { IsIn, IsOptional, Matches, ValidateIf } from 'class-validator';
import ms from 'ms';

/** The settings of support-api. */
export class SupportApiConfig extends ServiceConfig {
  @PortSetting()
  SUPPORT_API_PORT = 3001;

  /** An API key with the role admin, for the first steps. */
  @OptionalText(/^[\w.~+/=-]{32,512}$/, 'must be 32 to 512 letters, digits or . _ ~ + / = -')
  ADMIN_TOKEN?: string;

  /** Accepts ADMIN_TOKEN also while an admin's account exists. */
  @FlagSetting()
  KEEP_ADMIN_TOKEN = false;

  /** The lowest role that has to use a second factor; the others may. `off`: nobody is asked for one. */
  @IsIn([...ROLES, 'off'], { message: '$property must be viewer, support, admin or off' })
  SECOND_FACTOR: Role | 'off' = 'admin';

  /** Encrypts the secrets of authenticator apps. */
  @ValidateIf(({ SECOND_FACTOR }: SupportApiConfig) => SECOND_FACTOR !== 'off')
  @Matches(/^\S{32,}$/, {
    message: '$property must have at least 32 characters and no spaces, or SECOND_FACTOR must be off',
  })
  SECOND_FACTOR_KEY?: string;

  /** A session ends after this long without activity. */
  @DurationSetting()
  SESSION_IDLE_TIMEOUT = ms('15m');

  /** Signs the links in notifications. The notifier needs the same value. */
  @LinkSecret()
  LINK_SECRET?: string;

  /** The address at which people reach this service. The notifier needs the same value. */
  @IsOptional()
  @HttpUrl()
  PUBLIC_URL?: string;

  /** Whether e-mails name the medication. The notifier needs the same value. */
  @FlagSetting()
  MAIL_NAMES_MEDICATION = false;

  @TrustedProxies()
  TRUSTED_PROXIES?: string;

  /** The list of erasures, which are repeated after a restore: a file outside the database and its backups. */
  @OptionalText()
  ERASURES_FILE?: string;

  /** Whether browsers use TLS. */
  get overTls(): boolean {
    return this.PUBLIC_URL?.startsWith('https:') ?? false;
  }
}
