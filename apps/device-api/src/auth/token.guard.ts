import type { DatabaseStatus } from '#persistence';
import {
  bearerToken,
  type Clock,
  countFor,
  hashToken,
  type Limited,
  prefixOf,
  Problem,
  type RateLimit,
  type TokenPrefix,
} from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller, TokenDirectory } from './token-directory.js';

/** A request with its caller, once that is known. */
export interface KnownRequest extends FastifyRequest, Limited {
  caller?: Caller<unknown>;
}

/**
 * Authenticates a client by its bearer token, before the body of its request is read, and applies its rate limit. The
 * token alone names the client; nothing in a body can.
 */
export abstract class TokenGuard<Client> {
  protected constructor(
    private readonly tokens: TokenDirectory<Client>,
    private readonly database: DatabaseStatus,
    private readonly clock: Clock,
    private readonly limit: RateLimit | undefined,
    private readonly prefix: TokenPrefix,
  ) {}

  /** @throws Problem 401, 403, 429 or 503, or rejects with one */
  authenticate(request: KnownRequest): void | Promise<void> {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw new Problem(401, 'token_missing', 'Send your token as a bearer token.');
    const prefix = prefixOf(token);
    if (prefix !== undefined && prefix !== this.prefix) throw ofAnotherKind(prefix);
    // fails at once: the request need not wait for the token lookup to fail
    this.database.assertWritable();
    const caller = this.tokens.identify(hashToken(token), request);
    if (caller instanceof Promise) return caller.then((found) => this.admit(found, request));
    return this.admit(caller, request);
  }

  /**
   * Counts the further reports of a request: the first one was counted before its body was read. A batch that is the
   * first request of its window is taken, even if it is larger than the limit.
   *
   * @throws Problem 429 `rate_limited`; then it has counted as one report
   */
  countBatch(request: KnownRequest, reports: number): void {
    const caller = request.caller!;
    const more = reports - 1;
    if (!this.limit) return;
    if (caller.count > 1 && caller.count + more > this.limit.times)
      throw rateLimited(this.count(caller, 0, request, this.limit));
    this.count(caller, more, request, this.limit);
  }

  /** @throws Problem if there is no room for a report of this client, or rejects with one. */
  protected abstract waitForRoom(client: Client): void | Promise<void>;

  private admit(caller: Caller<Client>, request: KnownRequest): void | Promise<void> {
    request.caller = caller;
    if (this.limit) {
      const reset = this.count(caller, 1, request, this.limit);
      if (request.quota!.left < 0) throw rateLimited(reset);
    }
    return this.waitForRoom(caller.client);
  }

  /** Counts reports of a caller, in this process. @returns the seconds until the window ends */
  private count(caller: Caller<unknown>, reports: number, request: Limited, limit: RateLimit): number {
    request.quota = countFor('reports', limit, caller, reports, this.clock.now().getTime());
    return request.quota.reset;
  }
}

/** What the token is, and where it belongs: `token_unknown` would say that the bottle was erased. */
const BELONGS: Record<TokenPrefix, string> = {
  pwb: "This is a bottle's token: bottles report to /v1/heartbeats, /v1/actions and /v1/batch.",
  pwg: "This is a gateway's token: gateways report to /v1/gateway/batch.",
  pwk: 'This is an API key: it belongs to support-api.',
  pws: 'This is the session of a person: it belongs to support-api.',
};

function ofAnotherKind(prefix: TokenPrefix): Problem {
  return new Problem(403, 'token_of_another_kind', BELONGS[prefix]);
}

function rateLimited(reset: number): Problem {
  return new Problem(429, 'rate_limited', 'Too many reports.', undefined, reset);
}

/** The client that the request's token names. A route without authentication has none. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { caller } = context.switchToHttp().getRequest<KnownRequest>();
  if (caller === undefined) throw new Error('the route does not authenticate its callers');
  return caller.client;
});
