import { IsOptional } from 'class-validator';
import ms from 'ms';
import { DatabaseConfig } from './database.config.js';
import {
  DurationSetting,
  HttpUrl,
  IntegerSetting,
  ListenSetting,
  OperationsKeySetting,
  type RateLimit,
  RateLimitSetting,
} from './settings.js';

/** What all services share: the thresholds of the rules, and what each needs to serve. */
export class ServiceConfig extends DatabaseConfig {
  /** A bottle without a report for this long is silent; maintenance outages do not count. */
  @DurationSetting()
  SILENT_BOTTLE_AFTER = ms('60m');

  /** A bottle that is open for this long raises an alert. */
  @DurationSetting()
  OPEN_BOTTLE_AFTER = ms('5m');

  /** A battery that is below this in every reading of a day, in percent, raises `battery_low`; 1 to 90. */
  @IntegerSetting(1, 90)
  BATTERY_LOW_PERCENT = 15;

  /** The address of this machine at which the services listen; `0.0.0.0` for all; the image sets it. */
  @ListenSetting()
  LISTEN = '127.0.0.1';

  /**
   * Opens `/metrics` and `/docs`: a bearer token, or the password that a browser asks for; at least 32 characters;
   * `off` opens them to everyone; `npm start` creates one.
   */
  @OperationsKeySetting()
  OPERATIONS_KEY?: string;

  /**
   * Wrong tokens and sign-ins, and, counted apart, wrong `OPERATIONS_KEY`s, allowed per address (of IPv6, per /64);
   * counted by each process; right tokens are still taken, at most a second later.
   */
  @RateLimitSetting()
  WRONG_TOKEN_LIMIT?: RateLimit = { times: 60, seconds: 60 };

  /**
   * Where spans are sent, such as `http://collector:4318`; without it there is no tracing; see
   * [operations.md](operations.md#traces).
   */
  @IsOptional()
  @HttpUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
}
