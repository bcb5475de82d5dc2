import {
  IntegerSetting,
  PortSetting,
  type RateLimit,
  RateLimitSetting,
  ServiceConfig,
  TrustedProxies,
} from '#platform';

/** device-api's settings. */
export class DeviceApiConfig extends ServiceConfig {
  @PortSetting()
  DEVICE_API_PORT = 3000;

  /** Processes that share the port, for as many cores. */
  @IntegerSetting(1, 64)
  DEVICE_API_WORKERS = 1;

  /** How many reports one bottle may send; each process counts for itself. */
  @RateLimitSetting()
  DEVICE_RATE_LIMIT?: RateLimit = { times: 600, seconds: 60 };

  /** How many reports one gateway may send. */
  @RateLimitSetting()
  GATEWAY_RATE_LIMIT?: RateLimit = { times: 1_000_000, seconds: 60 };

  /** Reports that may wait to be stored; beyond it, the sender of whom most wait is refused. In each process. */
  @IntegerSetting(1_000, 1_000_000)
  QUEUE_LIMIT = 4_000;

  /** Reports of one bottle that may wait; a batch counts with its items. */
  @IntegerSetting(1, 1_000_000)
  BOTTLE_QUEUE_LIMIT = 1_000;

  /** Reports that may wait of one gateway. */
  @IntegerSetting(1, 1_000_000)
  GATEWAY_QUEUE_LIMIT = 2_000;

  @TrustedProxies()
  TRUSTED_PROXIES?: string;
}
