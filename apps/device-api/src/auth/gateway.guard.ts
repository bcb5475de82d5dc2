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
      // they speak often: one look now and then is nothing
      { holds: (asked, now) => asked + KNOWN_FOR_MS > now },
      clock,
    );
  }
}

/** Lets a gateway in. One that speaks for a million bottles asks often: it has no limit but the queue's. */
@Injectable()
export class GatewayGuard extends TokenGuard<GatewayIdentity> {
  // oxlint-disable-next-line no-useless-constructor -- Nest reads from it what to inject
  constructor(gateways: GatewayTokens, database: DatabaseStatus) {
    super(gateways, database);
  }
}
