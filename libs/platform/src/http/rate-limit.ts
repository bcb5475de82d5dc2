import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../config/settings.js';

/** What a caller has left of a limit. */
export interface Quota {
  /** Of the limit. */
  name: string;
  limit: RateLimit;
  /** Less than nothing if it was exceeded. */
  left: number;
  /** Seconds until all of it is there again. */
  reset: number;
}

/** A request that counts for a limit. */
export interface Limited {
  quota?: Quota;
}

/** What a caller has used of a limit in the present window, which ends at `windowEnds` (epoch milliseconds). */
export interface Used {
  count: number;
  windowEnds: number;
}

/** Counts for a limit. @param now epoch milliseconds */
export function countFor(name: string, limit: RateLimit, used: Used, times: number, now: number): Quota {
  if (used.windowEnds <= now) {
    used.windowEnds = now + limit.seconds * 1_000;
    used.count = 0;
  }
  used.count += times;
  const reset = Math.max(1, Math.ceil((used.windowEnds - now) / 1_000));
  return { name, limit, left: limit.times - used.count, reset };
}

/** Tells the caller of a request with a quota about it, as draft-ietf-httpapi-ratelimit-headers-10 describes. */
export function sendQuota({ quota }: FastifyRequest & Limited, reply: FastifyReply): void {
  if (!quota) return;
  const { name, limit, left, reset } = quota;
  void reply.header('ratelimit-policy', `"${name}";q=${limit.times};w=${limit.seconds}`);
  void reply.header('ratelimit', `"${name}";r=${Math.max(0, left)};t=${reset}`);
}
