import { BottlesRepository, DatabaseStatus, type DeviceIdentity } from '#persistence';
import { bearerToken, hashToken, Problem } from '#platform';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimits } from './rate-limits.js';

interface DeviceRequest extends FastifyRequest {
  device?: DeviceIdentity;
}

/** Lets a device in by its bearer token, which names the bottle; nothing in a body can. */
@Injectable()
export class DeviceGuard implements CanActivate {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly limits: RateLimits,
    private readonly database: DatabaseStatus,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<DeviceRequest>();
    const token = bearerToken(request.headers.authorization);
    if (token === undefined)
      throw new Problem(401, 'token_missing', 'Send the device token as a bearer token.');
    // known already: a device need not wait until the token check finds it out
    this.database.assertWritable();
    request.device = await this.identify(hashToken(token));
    await this.limits.take(request.device._id.toHexString());
    return true;
  }

  private async identify(hash: string): Promise<DeviceIdentity> {
    const device = await this.bottles.findByToken(hash);
    if (device) return device;
    throw (await this.bottles.isRevokedToken(hash))
      ? new Problem(401, 'token_revoked', 'This token was replaced; the bottle needs its new one.')
      : new Problem(401, 'token_unknown', 'No bottle has this token.');
  }
}

/** The bottle that the request's token names. */
export const Device = createParamDecorator(
  (_: unknown, context: ExecutionContext): DeviceIdentity =>
    context.switchToHttp().getRequest<DeviceRequest>().device!,
);
