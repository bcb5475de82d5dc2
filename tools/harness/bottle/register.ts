import { setTimeout as sleep } from 'node:timers/promises';
import { mayRetry, parseRetryAfter, retryDelay } from './backoff.js';
import { type Answer, networkErrorCode } from './http.js';
import type { Random } from '../../random.js';
import type { NewBottle, Registration, SupportClient } from '../support-client.js';

export interface PersistOptions {
  random: Random;
  now: () => Date;
  /** Called with the code of every failure that is retried. */
  onFailure?: (code: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Registers a bottle, and retries while support-api is down. If only the response was lost, an unused bottle stays
 * registered. It never reports, so it never becomes silent.
 *
 * @throws if it is refused, or if `signal` aborts.
 */
export async function register(
  client: SupportClient,
  bottle: NewBottle,
  options: PersistOptions,
): Promise<Registration> {
  const { status, body, code, detail } = await persist(() => client.register(bottle), options);
  if (body) return body;
  throw new Error(`support-api refuses to register a bottle: ${status} ${code ?? ''} ${detail ?? ''}`.trim());
}

/**
 * Does a request until it is answered for good, with the patience of a device.
 *
 * @throws when `signal` ends it.
 */
export async function persist<T>(ask: () => Promise<Answer<T>>, options: PersistOptions): Promise<Answer<T>> {
  for (let attempt = 1; ; attempt += 1) {
    options.signal?.throwIfAborted();
    const answer = await ask().catch((error: unknown) => networkErrorCode(error));
    if (typeof answer !== 'string' && !mayRetry(answer.status)) return answer;
    const { code, retryAfter } = typeof answer === 'string' ? { code: answer } : { ...answer };
    options.onFailure?.(code ?? 'unknown');
    const wait = retryDelay(attempt, parseRetryAfter(retryAfter, options.now()), options.random);
    await sleep(wait, undefined, { signal: options.signal });
  }
}
