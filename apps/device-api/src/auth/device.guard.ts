import { BottlesRepository, DatabaseStatus, type DeviceIdentity } from '#persistence';
import { bearerToken, Clock, hashToken, Problem } from '#platform';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DeviceApiConfig } from '../config.js';
import { countRequest } from './rate-limit.js';
import { type Caller, TokenDirectory } from './token-directory.js';

interface DeviceRequest extends FastifyRequest {
  device?: DeviceIdentity;
}

/** The tokens of the bottles. */
@Injectable()
export class DeviceTokens extends TokenDirectory<DeviceIdentity> {
  constructor(bottles: BottlesRepository, clock: Clock) {
    super(
      {
        find: (hashes) => bottles.findByTokens(hashes),
        findRevoked: (hashes) => bottles.findRevokedTokens(hashes),
      },
      clock,
    );
  }
}

/** Lets a device in by its bearer token, which names the bottle; nothing in a body can. */
@Injectable()
export class DeviceGuard implements CanActivate {
  constructor(
    private readonly devices: DeviceTokens,
    private readonly database: DatabaseStatus,
    private readonly clock: Clock,
    private readonly config: DeviceApiConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<DeviceRequest>();
    const token = bearerToken(request.headers.authorization);
    if (token === undefined)
      throw new Problem(401, 'token_missing', 'Send the device token as a bearer token.');
    // known already: a device need not wait until the token check finds it out
    this.database.assertWritable();
    const caller = this.devices.identify(hashToken(token));
    return caller instanceof Promise
      ? caller.then((found) => this.admit(found, request))
      : this.admit(caller, request);
  }

  private admit(caller: Caller<DeviceIdentity>, request: DeviceRequest): true {
    countRequest(caller, this.config.DEVICE_RATE_LIMIT, this.clock.now().getTime());
    request.device = caller.client;
    return true;
  }
}

/** The bottle that the request's token names. */
export const Device = createParamDecorator(
  (_: unknown, context: ExecutionContext): DeviceIdentity =>
    context.switchToHttp().getRequest<DeviceRequest>().device!,
);
