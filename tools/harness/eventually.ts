import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats assertions until they hold; after `timeoutMs` they fail as they then stand.
 *
 * @returns what they returned.
 */
export async function eventually<T>(
  assertions: () => T | Promise<T>,
  timeoutMs = 60_000,
  pollMs = 50,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await sleep(pollMs);
  }
}
