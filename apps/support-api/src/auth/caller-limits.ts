import { Clock, countFor, type Limited, LruMap, Problem, Turns, type Used } from '#platform';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { SupportApiConfig } from '../config.js';

const MAX_CALLERS = 10_000;
/** Of one caller, or of one address without a caller; one while more of theirs wait. A browser has six connections. */
const AT_ONCE = 6;
const MOST_WAITING = 200;

/** How much of the service one caller gets: so many requests a minute, and a few at once. */
@Injectable()
export class CallerLimits {
  private readonly used = new LruMap<string, Used>(MAX_CALLERS);
  private readonly turns = new Turns(AT_ONCE, MOST_WAITING);

  constructor(
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** Counts a request of a right token. @throws Problem 429 `rate_limited` */
  count(hash: string, request: Limited): void {
    const limit = this.config.STAFF_RATE_LIMIT;
    if (!limit) return;
    let used = this.used.get(hash);
    if (!used) this.used.set(hash, (used = { count: 0, windowEnds: 0 }));
    request.quota = countFor('requests', limit, used, 1, this.clock.now().getTime());
    const { left, reset } = request.quota;
    if (left < 0) throw new Problem(429, 'rate_limited', 'Too many requests.', undefined, reset);
  }

  /**
   * Waits until it is the request's turn among those of its caller.
   *
   * @param response its end is the end of the request
   * @throws Problem 429 `rate_limited` if too many wait
   */
  async waitForTurn(caller: string, request: FastifyRequest, response: ServerResponse): Promise<void> {
    const turn = this.turns.enter(caller);
    if (!turn) throw new Problem(429, 'rate_limited', 'Too many requests at once.', undefined, 1);
    await turn;
    if (request.raw.socket.destroyed) {
      // nobody waits for the answer any more
      this.turns.leave(caller);
      throw new Problem(408, 'request_timeout', 'The client has closed the connection.');
    }
    response.once('close', () => this.turns.leave(caller));
  }
}
