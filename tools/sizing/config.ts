import { OptionalText } from '#platform';

/** What `sizing` takes from the environment; everything else comes from the command line. */
export class SizingConfig {
  /** The server to measure on; without it one is started. */
  @OptionalText(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://')
  MONGODB_URI?: string;

  /** A mongod to start instead of the one that would be found. */
  @OptionalText()
  MONGOD_BINARY?: string;
}
