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
  /** Port; `0` picks a free one. */
  @PortSetting()
  DEVICE_API_PORT = 3000;

  /** Worker processes that share the port, 1 to 64; use one per core. `npm start` and the demo always run one. */
  @IntegerSetting(1, 64)
  DEVICE_API_WORKERS = 1;

  /** Reports allowed per bottle: each item of a batch is one; counted by each process and worker; `off`: no limit. */
  @RateLimitSetting()
  DEVICE_RATE_LIMIT?: RateLimit = { times: 600, seconds: 60 };

  /** The same, per gateway. */
  @RateLimitSetting()
  GATEWAY_RATE_LIMIT?: RateLimit = { times: 1_000_000, seconds: 60 };

  /** Reports that may wait to be stored, in each process; beyond it, the sender of whom most wait gets `503`. */
  @IntegerSetting(1_000, 1_000_000)
  QUEUE_LIMIT = 4_000;

  /** Reports of one bottle that may wait; a batch counts with its items. */
  @IntegerSetting(1, 1_000_000)
  BOTTLE_QUEUE_LIMIT = 1_000;

  /** Reports of one gateway that may wait. */
  @IntegerSetting(1, 1_000_000)
  GATEWAY_QUEUE_LIMIT = 2_000;

  /** Proxies whose `X-Forwarded-For` is trusted, such as `127.0.0.1, 10.0.0.0/8`; the limits per address need it. */
  @TrustedProxies()
  TRUSTED_PROXIES?: string;
}
