import { Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DeviceApiConfig } from '../config.js';

/** DEVICE_RATE_LIMIT, for each device and process. */
@Injectable()
export class RateLimits {
  private readonly limiter: RateLimiterMemory | undefined;

  constructor(config: DeviceApiConfig) {
    const limit = config.DEVICE_RATE_LIMIT;
    this.limiter = limit && new RateLimiterMemory({ points: limit.requests, duration: limit.seconds });
  }

  /** Counts one request. @throws Problem 429 with Retry-After when there were too many. */
  async take(device: string): Promise<void> {
    try {
      await this.limiter?.consume(device);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new Problem(429, 'rate_limited', 'Too many requests from this device.', undefined, seconds);
    }
  }
}
