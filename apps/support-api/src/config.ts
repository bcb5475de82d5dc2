import { DatabaseConfig, LinkSecret, OptionalText, PortSetting } from '#platform';

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
}
