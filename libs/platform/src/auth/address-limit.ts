import { LruMap } from '../cache/lru-map.js';
import type { Clock } from '../clock.js';
import type { RateLimit } from '../config/settings.js';
import { networkOf } from '../http/network-of.js';
import { Problem } from '../http/problem.js';

/** About 5 MB of addresses. */
const MAX_ADDRESSES = 20_000;

/** Limits the failed attempts of an address. Each process counts for itself. */
export class AddressLimit {
  /** Failures in the present window, which ends at `endsAt` (epoch milliseconds). */
  private readonly failures = new LruMap<string, { count: number; endsAt: number }>(MAX_ADDRESSES);

  /** @param limit undefined for none. */
  constructor(
    private readonly limit: RateLimit | undefined,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 429 `too_many_failures` with Retry-After after too many failed attempts of the address. */
  admit(address: string): void {
    const { limit } = this;
    const failed = limit && this.failures.get(networkOf(address));
    const leftMs = failed ? failed.endsAt - this.clock.now().getTime() : 0;
    if (!failed || leftMs <= 0 || failed.count < limit.times) return;
    throw new Problem(
      429,
      'too_many_failures',
      'Too many failed attempts from your address.',
      undefined,
      Math.ceil(leftMs / 1_000),
    );
  }

  /** Counts a failed attempt. */
  failed(address: string): void {
    if (!this.limit) return;
    const network = networkOf(address);
    const now = this.clock.now().getTime();
    const known = this.failures.get(network);
    if (known && known.endsAt > now) known.count += 1;
    else this.failures.set(network, { count: 1, endsAt: now + this.limit.seconds * 1_000 });
  }
}
