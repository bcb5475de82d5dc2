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

/** Tells the caller of a request with a quota about it, as draft-ietf-httpapi-ratelimit-headers-10 describes. */
export function sendQuota({ quota }: FastifyRequest & Limited, reply: FastifyReply): void {
  if (!quota) return;
  const { name, limit, left, reset } = quota;
  void reply.header('ratelimit-policy', `"${name}";q=${limit.times};w=${limit.seconds}`);
  void reply.header('ratelimit', `"${name}";r=${Math.max(0, left)};t=${reset}`);
}
