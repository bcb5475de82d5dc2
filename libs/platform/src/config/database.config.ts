import ms from 'ms';
import { IsString, Matches } from 'class-validator';
import { DurationSetting } from './settings.js';

/** The database, for services and commands. */
export class DatabaseConfig {
  /**
   * The database: a replica set or a mongos; without it, `npm start` and `npm run demo` start one, and `npm run admin`
   * and `npm run timeseries` use the one of the `npm start` that runs.
   */
  @IsString({ message: 'MONGODB_URI must be set: mongodb://… (npm start brings a database of its own)' })
  @Matches(/^mongodb(\+srv)?:\/\//, { message: 'MONGODB_URI must start with mongodb:// or mongodb+srv://' })
  MONGODB_URI: string;

  /** How long heartbeats are kept; a change is applied to the TTL index at the next start. */
  @DurationSetting()
  HEARTBEAT_RETENTION = ms('14d');
}
