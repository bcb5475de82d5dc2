import type { IncomingMessage } from 'node:http';
import { LruMap } from '../cache/lru-map.js';
import type { Clock } from '../clock.js';
import type { RateLimit } from '../config/settings.js';
import { networkOf } from '../http/network-of.js';
import { isPipelined } from '../http/one-at-a-time.js';
import { Problem } from '../http/problem.js';
import type { Limited } from '../http/rate-limit.js';

/** A request, by where it comes from. */
export type FromAddress = Limited & { readonly ip: string; readonly raw?: IncomingMessage };

/** About 5 MB of addresses. */
const MAX_ADDRESSES = 20_000;
/** Lookups of all addresses that may wait. */
const MOST_WAITING = 10_000;
/** An address that is over its limit has its next lookups after so long. Milliseconds. */
const TURN_MS = 1_000;

interface Attempts {
  /** In the present window. */
  failed: number;
  /** Of the window. Epoch milliseconds. */
  endsAt: number;
  /** Lookups in progress: each is counted before it is made. */
  pending: number;
}

/** Limits the failed attempts of an address. Each process counts for itself. */
export class AddressLimit {
  private readonly addresses = new LruMap<string, Attempts>(MAX_ADDRESSES);
  /** By address: lookups that wait for their turn. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private waitingCount = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param limit undefined for none.
   * @param atOnce lookups of an address at a time, if none of it has failed lately, and in each turn if too many have
   */
  constructor(
    private readonly limit: RateLimit | undefined,
    private readonly clock: Clock,
    private readonly atOnce = 1_000,
  ) {}

  /**
   * Before an attempt that can be refused whoever makes it: a password, a signature.
   *
   * @throws Problem 429 `too_many_failures` with Retry-After after too many failed attempts of the address.
   */
  admit(request: FromAddress): void {
    const { limit } = this;
    if (!limit) return;
    const attempts = this.attemptsOf(networkOf(request.ip));
    if (attempts && attempts.failed >= limit.times) throw this.refusal(request, limit, attempts);
  }

  /** Counts a failed attempt. @returns the refusal, if the limit was reached before it */
  failed(request: FromAddress): Problem | undefined {
    const { limit } = this;
    if (!limit) return undefined;
    const attempts = this.attemptsFor(networkOf(request.ip), limit);
    if (attempts.failed >= limit.times) return this.refusal(request, limit, attempts);
    attempts.failed += 1;
    this.note(request, limit, attempts);
    return undefined;
  }

  /**
   * Looks up what may be right: whoever else has failed at the address, a right token is taken. Up to the limit a lookup
   * is made at once; beyond it, with the next turn, within a second. Only what a client pipelines is then refused unseen:
   * no bottle and no proxy does so with different tokens.
   *
   * @param lookUp rejects with a Problem 401 if it is wrong
   * @throws what `lookUp` throws; Problem 429 `too_many_failures` in place of a 401 after too many failed attempts of the
   *   address, or if too many wait
   */
  async lookUp<T>(request: FromAddress, lookUp: () => Promise<T>): Promise<T> {
    const { limit } = this;
    if (!limit) return lookUp();
    const network = networkOf(request.ip);
    await this.enter(request, network, limit);
    let isRight = true;
    try {
      return await lookUp();
    } catch (error) {
      isRight = !(error instanceof Problem && error.getStatus() === 401);
      throw (isRight ? undefined : this.failed(request)) ?? error;
    } finally {
      this.leave(network, isRight);
    }
  }

  private enter(request: FromAddress, network: string, limit: RateLimit): void | Promise<void> {
    const attempts = this.attemptsFor(network, limit);
    if (this.hasRoom(attempts, limit)) {
      attempts.pending += 1;
      return undefined;
    }
    const isRefused = attempts.failed >= limit.times && request.raw && isPipelined(request.raw);
    if (isRefused || this.waitingCount >= MOST_WAITING) throw this.refusal(request, limit, attempts);
    this.timer ??= setTimeout(() => this.turn(), TURN_MS);
    return new Promise((resolve) => {
      const queue = this.waiting.get(network) ?? [];
      queue.push(resolve);
      this.waiting.set(network, queue);
      this.waitingCount += 1;
    });
  }

  private leave(network: string, wasRight: boolean): void {
    const attempts = this.attemptsOf(network);
    if (!attempts) return;
    attempts.pending = Math.max(0, attempts.pending - 1);
    if (wasRight && this.hasRoom(attempts, this.limit!)) this.release(network, 1);
    if (attempts.pending === 0 && attempts.failed === 0) this.addresses.delete(network);
  }

  private hasRoom({ failed, pending }: Attempts, { times }: RateLimit): boolean {
    return failed + pending < times || (failed === 0 && pending < this.atOnce);
  }

  /** Every address has a turn, whatever has failed there. */
  private turn(): void {
    for (const network of this.waiting.keys()) this.release(network, this.atOnce);
    this.timer = this.waiting.size > 0 ? setTimeout(() => this.turn(), TURN_MS) : undefined;
  }

  private release(network: string, most: number): void {
    const queue = this.waiting.get(network);
    if (!queue) return;
    const released = queue.splice(0, most);
    if (queue.length === 0) this.waiting.delete(network);
    this.waitingCount -= released.length;
    this.attemptsFor(network, this.limit!).pending += released.length;
    for (const resolve of released) resolve();
  }

  /** In the present window; undefined if nothing is known of the address. */
  private attemptsOf(network: string): Attempts | undefined {
    const attempts = this.addresses.get(network);
    if (attempts && attempts.endsAt <= this.clock.now().getTime()) {
      attempts.failed = 0;
      attempts.endsAt = Number.POSITIVE_INFINITY;
    }
    return attempts;
  }

  private attemptsFor(network: string, { seconds }: RateLimit): Attempts {
    let attempts = this.attemptsOf(network);
    if (!attempts) {
      attempts = { failed: 0, endsAt: 0, pending: 0 };
      this.addresses.set(network, attempts);
    }
    // the first failure begins the window
    if (attempts.failed === 0) attempts.endsAt = this.clock.now().getTime() + seconds * 1_000;
    return attempts;
  }

  private refusal(request: FromAddress, limit: RateLimit, attempts: Attempts): Problem {
    const seconds = this.note(request, limit, attempts);
    const detail = 'Too many failed attempts from your address.';
    return new Problem(429, 'too_many_failures', detail, undefined, seconds);
  }

  /** @returns the seconds until the window ends */
  private note(request: Limited, limit: RateLimit, { failed, endsAt }: Attempts): number {
    const reset = Math.ceil((endsAt - this.clock.now().getTime()) / 1_000);
    request.quota = { name: 'failures', limit, left: limit.times - failed, reset };
    return reset;
  }
}
