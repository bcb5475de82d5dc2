import { BottlesRepository, DatabaseStatus, type DeviceIdentity } from '#persistence';
import { AddressLimit, Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { DeviceApiConfig } from '../config.js';
import { assertNotRetired } from './retired.js';
import { ReportWriter } from '../reports/report-writer.js';
import { RegistryWatch } from './registry-watch.js';
import { TokenDirectory } from './token-directory.js';
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

/** Authenticates bottles. */
@Injectable()
export class DeviceGuard extends TokenGuard<DeviceIdentity> {
  constructor(
    devices: DeviceTokens,
    database: DatabaseStatus,
    private readonly writer: ReportWriter,
    clock: Clock,
    config: DeviceApiConfig,
  ) {
    super(devices, database, clock, config.DEVICE_RATE_LIMIT, 'pwb');
  }

  protected override waitForRoom(client: DeviceIdentity): void {
    assertNotRetired(client);
    this.writer.assertRoom({ kind: 'bottle', client });
  }
}
