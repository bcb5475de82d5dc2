import type { DatabaseStatus } from '#persistence';
import { bearerToken, hashToken, Problem } from '#platform';
import { type CanActivate, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller, TokenDirectory } from './token-directory.js';

interface KnownRequest extends FastifyRequest {
  client?: unknown;
}

/** Authenticates a client by its bearer token. The token alone names the client; nothing in a body can. */
export abstract class TokenGuard<Client> implements CanActivate {
  protected constructor(
    private readonly tokens: TokenDirectory<Client>,
    private readonly database: DatabaseStatus,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<KnownRequest>();
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw new Problem(401, 'token_missing', 'Send your token as a bearer token.');
    // fails at once: the request need not wait for the token lookup to fail
    this.database.assertWritable();
    const caller = this.tokens.identify(hashToken(token));
    return caller instanceof Promise
      ? caller.then((found) => this.admit(found, request))
      : this.admit(caller, request);
  }

  /** @throws Problem if this caller may not send a request now. */
  protected check(_caller: Caller<Client>): void {}

  private admit(caller: Caller<Client>, request: KnownRequest): true {
    this.check(caller);
    request.client = caller.client;
    return true;
  }
}

/** The client that the request's token names, found by the route's guard. */
export const Client = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown =>
    context.switchToHttp().getRequest<KnownRequest>().client,
);
