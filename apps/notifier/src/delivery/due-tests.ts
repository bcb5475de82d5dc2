import { TEST_GIVEN_UP_MS } from '#persistence';
import type { Clock } from '#platform';
import { DeliveryError } from './channel.js';

/** Longer than an attempt may take. If a notifier is killed, another sends the message after this time. Milliseconds. */
const LEASE_MS = 60_000;

export interface TestOutcome {
  status?: number;
  error?: string;
}

/** What keeps the test messages that staff ask for: to a contact's address, or to an endpoint. */
export interface Tests<Owner> {
  /** One that is due; until `until`, no other notifier sends it. */
  claim(now: Date, until: Date): Promise<Owner | null>;
  requestedAt(owner: Owner): Date;
  /** Makes its one attempt. */
  send(owner: Owner, now: Date): Promise<TestOutcome>;
  end(owner: Owner, result: TestOutcome & { attempted_at: Date }): Promise<unknown>;
}

/** Sends the tests that are due, and stores what became of each. */
export async function sendDueTests<Owner>(
  tests: Tests<Owner>,
  clock: Clock,
  stopping: () => boolean,
): Promise<void> {
  while (!stopping()) {
    const now = clock.now();
    const owner = await tests.claim(now, new Date(now.getTime() + LEASE_MS));
    if (owner === null) return;
    const isGivenUp = now.getTime() - tests.requestedAt(owner).getTime() > TEST_GIVEN_UP_MS;
    const result = isGivenUp ? { error: 'no notifier sent it in time' } : await tests.send(owner, now);
    await tests.end(owner, { attempted_at: now, ...result });
  }
}

/** @throws what was no failure of the delivery */
export function failedTest(error: unknown): TestOutcome {
  if (!(error instanceof DeliveryError)) throw error;
  return { error: error.message, ...(error.status !== undefined && { status: error.status }) };
}
