import { TEST_GIVEN_UP_MS } from '#persistence';
import type { Clock } from '#platform';
import { DeliveryError } from './channel.js';

/** Longer than an attempt may take. If a notifier is killed, another sends the message after this time. Milliseconds. */
const LEASE_MS = 60_000;

export interface TestOutcome {
  status?: number;
  error?: string;
}

/** What is tested, a contact or an endpoint, with the test that staff ask for. */
interface Tested {
  _id: unknown;
  test?: { id: string; at: Date };
}

/** The repository that keeps the tests. */
interface Tests<T extends Tested> {
  /** One that is due; until `until`, no other notifier sends it. */
  claimTest(now: Date, until: Date): Promise<T | null>;
  endTest(id: T['_id'], testId: string, result: TestOutcome & { attempted_at: Date }): Promise<unknown>;
}

/** Sends the tests that are due, one attempt each, and stores what became of them. */
export async function sendDueTests<T extends Tested>(
  tests: Tests<T>,
  send: (tested: T, test: NonNullable<T['test']>, now: Date) => Promise<TestOutcome>,
  clock: Clock,
  stopping: () => boolean,
): Promise<void> {
  while (!stopping()) {
    const now = clock.now();
    const tested = await tests.claimTest(now, new Date(now.getTime() + LEASE_MS));
    if (!tested?.test) return;
    const { test } = tested;
    const isGivenUp = now.getTime() - test.at.getTime() > TEST_GIVEN_UP_MS;
    const result = isGivenUp ? { error: 'no notifier sent it in time' } : await send(tested, test, now);
    await tests.endTest(tested._id, test.id, { attempted_at: now, ...result });
  }
}

/** @throws what was no failure of the delivery */
export function failedTest(error: unknown): TestOutcome {
  if (!(error instanceof DeliveryError)) throw error;
  return { error: error.message, ...(error.status !== undefined && { status: error.status }) };
}
