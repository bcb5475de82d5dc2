import { OptionalText } from '#platform';
import { IsString } from 'class-validator';

/** What the one-process form needs beyond the settings of the three services. */
export class StandaloneConfig {
  /** A database of your own; without it one is started. */
  @OptionalText(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://')
  MONGODB_URI?: string;

  /** The mongod to start instead of the one found automatically, also by `npm run sizing`. */
  @OptionalText()
  MONGOD_BINARY?: string;

  /** Where the embedded database and the admin key are stored; `.data/demo` in the demo. The admin CLI has it, too. */
  @IsString()
  DATA_DIR = '.data';

  /** The admin key of support-api, which validates it; without it one is made and kept in DATA_DIR. */
  @OptionalText()
  ADMIN_TOKEN?: string;
}
