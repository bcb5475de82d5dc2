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
  /** The address of this machine at which the service listens. */
  @ListenSetting()
  LISTEN = '127.0.0.1';

  /** Opens `/metrics` and `/docs`, which nobody gets without it; `off` opens them to everyone. */
  @OperationsKeySetting()
  OPERATIONS_KEY?: string;

  /** How many wrong tokens, keys and passwords one address may send; each process counts for itself. */
  @RateLimitSetting()
  WRONG_TOKEN_LIMIT?: RateLimit = { times: 60, seconds: 60 };

  /** Where spans are sent, by OTLP over HTTP; without it there is no tracing. */
  @IsOptional()
  @HttpUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
}
