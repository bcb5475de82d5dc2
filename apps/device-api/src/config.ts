import { IntegerSetting, PortSetting, type RateLimit, RateLimitSetting, ServiceConfig } from '#platform';

/** device-api's settings. */
export class DeviceApiConfig extends ServiceConfig {
  @PortSetting()
  DEVICE_API_PORT = 3000;

  /** Processes that share the port, for as many cores. */
  @IntegerSetting(1, 64)
  DEVICE_API_WORKERS = 1;

  /** How many requests one device may make; each process counts for itself. */
  @RateLimitSetting()
  DEVICE_RATE_LIMIT?: RateLimit = { times: 60, seconds: 60 };
}
