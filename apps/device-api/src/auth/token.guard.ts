import type { DatabaseStatus } from '#persistence';
import { bearerToken, hashToken, Problem } from '#platform';
import { type CanActivate, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller, TokenDirectory } from './token-directory.js';

interface KnownRequest extends FastifyRequest {
  client?: unknown;
}

/** Lets a client in by its bearer token, which says who it is; nothing in a body can. */
export abstract class TokenGuard<Client> implements CanActivate {
  protected constructor(
    private readonly tokens: TokenDirectory<Client>,
    private readonly database: DatabaseStatus,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<KnownRequest>();
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw new Problem(401, 'token_missing', 'Send your token as a bearer token.');
    // known already: nobody need wait until the token check finds it out
    this.database.assertWritable();
    const caller = this.tokens.identify(hashToken(token));
    return caller instanceof Promise
      ? caller.then((found) => this.admit(found, request))
      : this.admit(caller, request);
  }

  /** @throws Problem when this caller may not ask now. */
  protected check(_caller: Caller<Client>): void {}

  private admit(caller: Caller<Client>, request: KnownRequest): true {
    this.check(caller);
    request.client = caller.client;
    return true;
  }
}

/** Whom the request's token names, as the route's guard found. */
export const Client = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown =>
    context.switchToHttp().getRequest<KnownRequest>().client,
);
