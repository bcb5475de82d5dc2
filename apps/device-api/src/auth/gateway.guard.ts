import { DatabaseStatus, type GatewayIdentity, GatewaysRepository } from '#persistence';
import { AddressLimit, Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { DeviceApiConfig } from '../config.js';
import { KNOWN_FOR_MS } from './registry-watch.js';
import { MAX_GATEWAY_ITEMS } from '../gateway/gateway-batch.dto.js';
import { ReportWriter } from '../reports/report-writer.js';
import { TokenDirectory } from './token-directory.js';
import { TokenGuard } from './token.guard.js';

/** The tokens of the gateways. */
@Injectable()
export class GatewayTokens extends TokenDirectory<GatewayIdentity> {
  constructor(gateways: GatewaysRepository, failures: AddressLimit, clock: Clock) {
    super(
      {
        find: (hashes) => gateways.findByTokens(hashes),
        findRevoked: (hashes) => gateways.findRevokedTokens(hashes),
      },
      // gateways send often: a lookup every 45 s costs nothing
      { isValid: (lookedUpAt, now) => lookedUpAt + KNOWN_FOR_MS > now },
      failures,
      clock,
    );
  }
}

/** Authenticates gateways. */
@Injectable()
export class GatewayGuard extends TokenGuard<GatewayIdentity> {
  constructor(
    gateways: GatewayTokens,
    database: DatabaseStatus,
    private readonly writer: ReportWriter,
    clock: Clock,
    config: DeviceApiConfig,
  ) {
    super(gateways, database, clock, config.GATEWAY_RATE_LIMIT, 'pwg');
  }

  protected override waitForRoom(client: GatewayIdentity): void | Promise<void> {
    return this.writer.waitForRoom({ kind: 'gateway', client }, MAX_GATEWAY_ITEMS);
  }
}
