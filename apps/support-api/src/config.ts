import { DatabaseConfig, LinkSecret, OptionalText, PortSetting, PublicUrl } from '#platform';

/** support-api's settings. */
export class SupportApiConfig extends DatabaseConfig {
  @PortSetting()
  SUPPORT_API_PORT = 3001;

  /** An admin's key for the first steps; what a bearer token may be made of. */
  @OptionalText(/^[\w.~+/=-]{8,512}$/, 'must be 8 to 512 letters, digits or . _ ~ + / = -')
  ADMIN_TOKEN?: string;

  /** Signs the links in messages; the notifier has the same. */
  @LinkSecret()
  LINK_SECRET?: string;

  /** Where people reach this service; the notifier has the same. */
  @PublicUrl()
  PUBLIC_URL?: string;

  /** The proxies whose X-Forwarded-For is believed: addresses or networks. Without it, nobody's. */
  @OptionalText(
    /^[0-9a-f.:/]+(, ?[0-9a-f.:/]+)*$/i,
    'must be addresses or networks such as 10.0.0.0/8, with commas between',
  )
  TRUSTED_PROXIES?: string;

  /** Browsers reach us over TLS. */
  get overTls(): boolean {
    return this.PUBLIC_URL?.startsWith('https:') ?? false;
  }
}
