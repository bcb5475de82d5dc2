import { DatabaseConfig, IntegerSetting, PortSetting } from '#platform';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** At most `requests` in `seconds` from one device; undefined is no limit. */
export interface RateLimit {
  requests: number;
  seconds: number;
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** `60/m`, `5/s`, `1000/h`, or `off`; anything else stays as it is, for the validator to refuse. */
function parseRateLimit(value: unknown): unknown {
  if (value === 'off') return undefined;
  const [, requests, unit] = /^([1-9]\d{0,6})\/([smh])$/.exec(typeof value === 'string' ? value : '') ?? [];
  return requests && unit ? { requests: Number(requests), seconds: SECONDS[unit]! } : value;
}

/** device-api's settings. */
export class DeviceApiConfig extends DatabaseConfig {
  @PortSetting()
  DEVICE_API_PORT = 3000;

  /** Processes that share the port, for as many cores. */
  @IntegerSetting(1, 64)
  DEVICE_API_WORKERS = 1;

  @Transform(({ value }: { value: unknown }) => parseRateLimit(value), { toClassOnly: true })
  @ValidateBy({
    name: 'rateLimit',
    validator: {
      validate: (value: unknown) => value === undefined || typeof value === 'object',
      defaultMessage: () => 'DEVICE_RATE_LIMIT must be off, or a limit such as 60/m',
    },
  })
  DEVICE_RATE_LIMIT?: RateLimit = { requests: 60, seconds: 60 };
}
