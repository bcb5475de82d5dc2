import { IsIP } from 'class-validator';
import { DatabaseConfig } from './database.config.js';
import { OptionalText } from './settings.js';

/** What every service needs beside the database. */
export class ServiceConfig extends DatabaseConfig {
  /** The address of this machine at which the service listens. */
  @IsIP(undefined, { message: '$property must be an IP address, such as 127.0.0.1, or 0.0.0.0 for all' })
  LISTEN = '127.0.0.1';

  /** Opens `/metrics` and `/docs`, which nobody gets without it; `off` opens them to everyone. */
  @OptionalText(/^(off|[\w.~+/=-]{32,512})$/, 'must be off, or 32 to 512 letters, digits or . _ ~ + / = -')
  OPERATIONS_KEY?: string;
}
