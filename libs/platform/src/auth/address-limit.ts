import { LruMap } from '../cache/lru-map.js';
import type { Clock } from '../clock.js';
import type { RateLimit } from '../config/settings.js';
import { networkOf } from '../http/network-of.js';
import { Problem } from '../http/problem.js';
import type { Limited } from '../http/rate-limit.js';

/** A request, by where it comes from. */
export type FromAddress = Limited & { readonly ip: string };

/** About 5 MB of addresses. */
const MAX_ADDRESSES = 20_000;

/** In the present window, which ends at `endsAt` (epoch milliseconds). */
interface Failures {
  count: number;
  endsAt: number;
}

/** Limits the failed attempts of an address. Each process counts for itself. */
export class AddressLimit {
  private readonly failures = new LruMap<string, Failures>(MAX_ADDRESSES);

  /** @param limit undefined for none. */
  constructor(
    private readonly limit: RateLimit | undefined,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 429 `too_many_failures` with Retry-After after too many failed attempts of the address. */
  admit(request: FromAddress): void {
    const { limit } = this;
    const failed = limit && this.failures.get(networkOf(request.ip));
    if (!failed || failed.endsAt <= this.clock.now().getTime() || failed.count < limit.times) return;
    const seconds = this.note(request, limit, failed);
    throw new Problem(
      429,
      'too_many_failures',
      'Too many failed attempts from your address.',
      undefined,
      seconds,
    );
  }

  /** Counts a failed attempt. */
  failed(request: FromAddress): void {
    if (!this.limit) return;
    const network = networkOf(request.ip);
    const now = this.clock.now().getTime();
    let known = this.failures.get(network);
    if (known && known.endsAt > now) known.count += 1;
    else this.failures.set(network, (known = { count: 1, endsAt: now + this.limit.seconds * 1_000 }));
    this.note(request, this.limit, known);
  }

  /** @returns the seconds until the window ends */
  private note(request: Limited, limit: RateLimit, { count, endsAt }: Failures): number {
    const reset = Math.ceil((endsAt - this.clock.now().getTime()) / 1_000);
    request.quota = { name: 'failures', limit, left: limit.times - count, reset };
    return reset;
  }
}
