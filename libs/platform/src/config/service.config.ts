import { IsOptional } from 'class-validator';
import { DatabaseConfig } from './database.config.js';
import {
  HttpUrl,
  ListenSetting,
  OperationsKeySetting,
  type RateLimit,
  RateLimitSetting,
} from './settings.js';

/** What every service needs beside the database. */
export class ServiceConfig extends DatabaseConfig {
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
