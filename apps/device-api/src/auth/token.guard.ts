import type { DatabaseStatus } from '#persistence';
import { bearerToken, hashToken, Problem } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller, TokenDirectory } from './token-directory.js';

interface KnownRequest extends FastifyRequest {
  client?: unknown;
}

/**
 * Authenticates a client by its bearer token, before the body of its request is read. The token alone names the client;
 * nothing in a body can.
 */
export abstract class TokenGuard<Client> {
  protected constructor(
    private readonly tokens: TokenDirectory<Client>,
    private readonly database: DatabaseStatus,
  ) {}

  /** @throws Problem 401, 429 or 503, or rejects with one */
  authenticate(request: KnownRequest): void | Promise<void> {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw new Problem(401, 'token_missing', 'Send your token as a bearer token.');
    // fails at once: the request need not wait for the token lookup to fail
    this.database.assertWritable();
    const caller = this.tokens.identify(hashToken(token), request);
    if (caller instanceof Promise) return caller.then((found) => this.admit(found, request));
    return this.admit(caller, request);
  }

  /** @throws Problem if this caller may not send a request now, or rejects with one. */
  protected check(_caller: Caller<Client>): void | Promise<void> {}

  private admit(caller: Caller<Client>, request: KnownRequest): void | Promise<void> {
    request.client = caller.client;
    return this.check(caller);
  }
}

/** The client that the request's token names. A route without authentication has none. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { client } = context.switchToHttp().getRequest<KnownRequest>();
  if (client === undefined) throw new Error('the route does not authenticate its callers');
  return client;
});
