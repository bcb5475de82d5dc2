import { Agent, request } from 'undici';
import { setTimeout as pause } from 'node:timers/promises';

/** What others got while something ran. Milliseconds; statuses of 500 and above, and connections that broke. */
export interface Served {
  requests: number;
  p50: number;
  p99: number;
  failures: string[];
}

/** Somebody who works while an attack runs: one request after the other, on a connection of their own. */
export class Other {
  private readonly times: number[] = [];
  private readonly failures: string[] = [];
  private readonly agent = new Agent({ connections: 1, pipelining: 1 });
  private ended = false;
  private readonly done: Promise<void>;

  /** @param pauseMs between a response and the next request */
  constructor(
    private readonly method: 'GET' | 'POST',
    private readonly url: string,
    private readonly token: string,
    private readonly pauseMs: number,
  ) {
    this.done = this.work();
  }

  async end(): Promise<Served> {
    this.ended = true;
    await this.done;
    await this.agent.close();
    const sorted = this.times.toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { requests: sorted.length, p50: at(0.5), p99: at(0.99), failures: this.failures };
  }

  private async work(): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}` };
    while (!this.ended) {
      const sent = performance.now();
      try {
        const { statusCode, body } = await request(this.url, {
          method: this.method,
          headers,
          dispatcher: this.agent,
        });
        await body.dump();
        if (statusCode >= 400) this.failures.push(String(statusCode));
      } catch (error) {
        this.failures.push((error as NodeJS.ErrnoException).code ?? String(error));
      }
      this.times.push(performance.now() - sent);
      await pause(this.pauseMs);
    }
  }
}
