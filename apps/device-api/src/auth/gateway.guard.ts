import { DatabaseStatus, type GatewayIdentity, GatewaysRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { KNOWN_FOR_MS } from './registry-watch.js';
import { TokenDirectory } from './token-directory.js';
import { TokenGuard } from './token.guard.js';

/** The tokens of the gateways. */
@Injectable()
export class GatewayTokens extends TokenDirectory<GatewayIdentity> {
  constructor(gateways: GatewaysRepository, clock: Clock) {
    super(
      {
        find: (hashes) => gateways.findByTokens(hashes),
        findRevoked: (hashes) => gateways.findRevokedTokens(hashes),
      },
      // gateways send often: a lookup every 45 s costs nothing
      { isValid: (lookedUpAt, now) => lookedUpAt + KNOWN_FOR_MS > now },
      clock,
    );
  }
}

/** Authenticates a gateway. One with a million bottles sends often: it has no rate limit, only the queue's. */
@Injectable()
export class GatewayGuard extends TokenGuard<GatewayIdentity> {
  // oxlint-disable-next-line no-useless-constructor -- Nest reads from it what to inject
  constructor(gateways: GatewayTokens, database: DatabaseStatus) {
    super(gateways, database);
  }
}
