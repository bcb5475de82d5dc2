import { BottlesRepository, DatabaseStatus, type DeviceIdentity } from '#persistence';
import { AddressLimit, Clock, Problem, type RateLimit } from '#platform';
import { Injectable } from '@nestjs/common';
import { DeviceApiConfig } from '../config.js';
import { ReportWriter } from '../reports/report-writer.js';
import { RegistryWatch } from './registry-watch.js';
import { type Caller, TokenDirectory } from './token-directory.js';
import { TokenGuard } from './token.guard.js';

/** The tokens of the bottles. */
@Injectable()
export class DeviceTokens extends TokenDirectory<DeviceIdentity> {
  constructor(bottles: BottlesRepository, registry: RegistryWatch, failures: AddressLimit, clock: Clock) {
    super(
      {
        find: (hashes) => bottles.findByTokens(hashes),
        findRevoked: (hashes) => bottles.findRevokedTokens(hashes),
      },
      registry,
      failures,
      clock,
    );
    registry.onChange((hasChanged) => this.forget(({ _id }) => hasChanged(_id)));
  }
}

/** Authenticates a bottle and applies its rate limit. */
@Injectable()
export class DeviceGuard extends TokenGuard<DeviceIdentity> {
  constructor(
    devices: DeviceTokens,
    database: DatabaseStatus,
    private readonly writer: ReportWriter,
    private readonly clock: Clock,
    private readonly config: DeviceApiConfig,
  ) {
    super(devices, database);
  }

  protected override check(caller: Caller<DeviceIdentity>): void {
    this.writer.assertRoom({ kind: 'bottle', client: caller.client });
    countRequest(caller, this.config.DEVICE_RATE_LIMIT, this.clock.now().getTime());
  }
}

/**
 * Counts one request of a caller, in this process.
 *
 * @param limit undefined for none.
 * @param now epoch milliseconds.
 * @throws Problem 429 with Retry-After if there were too many.
 */
function countRequest(caller: Caller<unknown>, limit: RateLimit | undefined, now: number): void {
  if (!limit) return;
  if (caller.windowEnds <= now) {
    caller.windowEnds = now + limit.seconds * 1_000;
    caller.requests = 0;
  }
  caller.requests += 1;
  if (caller.requests <= limit.times) return;
  const seconds = Math.max(1, Math.ceil((caller.windowEnds - now) / 1_000));
  throw new Problem(429, 'rate_limited', 'Too many requests.', undefined, seconds);
}
