import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats assertions until they hold; after `timeoutMs` they fail as they then stand. */
export async function eventually(assertions: () => Promise<void>, timeoutMs = 10_000): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await sleep(50);
  }
}
