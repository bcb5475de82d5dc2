import { SystemClock } from '#platform';
import assert from 'node:assert/strict';
import { eventually } from '../../tools/harness/eventually.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import type { FaultHarness } from './fault-harness.js';

/** What a refused report may take once the loss is known: less than a search for a server (2 s). Milliseconds. */
export const AT_ONCE_MS = 1_500;
/** What a report may take that is on its way when the database goes. Milliseconds. */
export const IN_FLIGHT_MS = 10_000;

export interface Answer {
  status: number;
  retryAfter: string | null;
  code: string | undefined;
  ms: number;
}

/** Bottles that report to device-api while its database fails. */
export class Reporters {
  private constructor(
    private readonly harness: FaultHarness,
    readonly device: ServiceProcess,
    readonly tokens: readonly string[],
  ) {}

  /** Starts the services and registers the bottles. */
  static async start(harness: FaultHarness, count: number): Promise<Reporters> {
    const [support, device] = await Promise.all([harness.run('support-api'), harness.run('device-api')]);
    const bottles = await harness.register(support, count);
    return new Reporters(
      harness,
      device,
      bottles.map(({ token }) => token),
    );
  }

  /** A heartbeat of each. */
  all(): Promise<Answer[]> {
    return Promise.all(this.tokens.map((token) => this.report(token)));
  }

  async report(token: string): Promise<Answer> {
    const began = performance.now();
    const answer = await fetch(`${this.device.url}/v1/heartbeats`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sent_at: new SystemClock().now().toISOString() }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      code: text === '' ? undefined : (JSON.parse(text) as { code: string }).code,
      ms: performance.now() - began,
    };
  }

  /** How many heartbeats are stored. */
  stored(): Promise<number> {
    return this.harness.db.collection('bottle_heartbeats').countDocuments();
  }

  /** Waits until device-api is ready and takes a heartbeat of each. */
  async untilRecovered(): Promise<void> {
    await eventually(async () => assert.equal(await this.device.readiness(), 200));
    await eventually(async () => {
      for (const { status } of await this.all()) assert.equal(status, 204);
    });
  }
}

export function expectRefused(answers: readonly Answer[]): void {
  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 503,
      code: 'database_unavailable',
      retryAfter: expect.stringMatching(/^\d+$/),
    });
  }
}

export const slowest = (answers: readonly Answer[]): number => Math.max(...answers.map(({ ms }) => ms));
