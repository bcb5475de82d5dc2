import ms from 'ms';
import { IsString, Matches } from 'class-validator';
import { DurationSetting, IntegerSetting } from './settings.js';

/** What every service needs to reach the database. */
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

  /** A bottle without a report for this long is silent; maintenance outages do not count. */
  @DurationSetting()
  SILENT_BOTTLE_AFTER = ms('60m');

  /** A bottle that is open for this long raises an alert. */
  @DurationSetting()
  OPEN_BOTTLE_AFTER = ms('5m');

  /** A battery that is below this in every reading of a day, in percent, raises `battery_low`; 1 to 90. */
  @IntegerSetting(1, 90)
  BATTERY_LOW_PERCENT = 15;
}
