import { BottlesRepository, DatabaseStatus, type DeviceIdentity } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { DeviceApiConfig } from '../config.js';
import { countRequest } from './rate-limit.js';
import { RegistryWatch } from './registry-watch.js';
import { type Caller, TokenDirectory } from './token-directory.js';
import { TokenGuard } from './token.guard.js';

/** The tokens of the bottles. */
@Injectable()
export class DeviceTokens extends TokenDirectory<DeviceIdentity> {
  constructor(bottles: BottlesRepository, registry: RegistryWatch, clock: Clock) {
    super(
      {
        find: (hashes) => bottles.findByTokens(hashes),
        findRevoked: (hashes) => bottles.findRevokedTokens(hashes),
      },
      registry,
      clock,
    );
    registry.onChange((hasChanged) => this.forget(({ _id }) => hasChanged(_id)));
  }
}

/** Lets a bottle in, as often as it may ask. */
@Injectable()
export class DeviceGuard extends TokenGuard<DeviceIdentity> {
  constructor(
    devices: DeviceTokens,
    database: DatabaseStatus,
    private readonly clock: Clock,
    private readonly config: DeviceApiConfig,
  ) {
    super(devices, database);
  }

  protected override check(caller: Caller<DeviceIdentity>): void {
    countRequest(caller, this.config.DEVICE_RATE_LIMIT, this.clock.now().getTime());
  }
}
