import ms from 'ms';
import { IsString, Matches } from 'class-validator';
import { DurationSetting, IntegerSetting } from './settings.js';

/** What every service needs to reach the database. */
export class DatabaseConfig {
  @IsString({ message: 'MONGODB_URI must be set: mongodb://… (npm start brings a database of its own)' })
  @Matches(/^mongodb(\+srv)?:\/\//, { message: 'MONGODB_URI must start with mongodb:// or mongodb+srv://' })
  MONGODB_URI: string;

  /** How long heartbeats are kept: the lab's two weeks. */
  @DurationSetting()
  HEARTBEAT_RETENTION = ms('14d');

  /** A bottle is silent after this long without a report. */
  @DurationSetting()
  SILENT_BOTTLE_AFTER = ms('60m');

  /** A bottle counts as left open after this long. */
  @DurationSetting()
  OPEN_BOTTLE_AFTER = ms('5m');

  /** A battery is low when every reading of a day is below this, in percent. */
  @IntegerSetting(1, 90)
  BATTERY_LOW_PERCENT = 15;
}
