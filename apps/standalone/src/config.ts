import { OptionalText } from '#platform';
import { IsString } from 'class-validator';

/** What the one-process form needs beyond the settings of the three services. */
export class StandaloneConfig {
  /** A database of your own; without it one is started. */
  @OptionalText(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://')
  MONGODB_URI?: string;

  /** A mongod to start instead of the one that would be found. */
  @OptionalText()
  MONGOD_BINARY?: string;

  /** Where the started database keeps its data between runs. */
  @IsString()
  DATA_DIR = '.data';

  /** The admin key of support-api, which validates it; without it one is made and kept in DATA_DIR. */
  @OptionalText()
  ADMIN_TOKEN?: string;
}
