import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** An answer takes less; who waits longer has been forgotten. */
const PATIENCE_MS = 60_000;

/** Clients that each send heartbeats one after the other, until the server is down or `end` is called. */
export class Load {
  stored = 0;
  /** Anything but a 2xx, or the refusal of a connection after the end. */
  readonly failures: string[] = [];
  private readonly agent: Agent;
  private readonly clients: Promise<void>[];
  private ended = false;

  /** @param pauseMs of each client, after every answer: leaves the machine to what is waited for. Milliseconds. */
  constructor(
    url: string,
    tokens: string[],
    private readonly pauseMs = 0,
  ) {
    this.agent = new Agent({
      connections: tokens.length,
      pipelining: 1,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    });
    this.clients = tokens.map((token) => this.send(`${url}/v1/heartbeats`, token));
  }

  /** Each client sends what it has begun, and no more. */
  end(): Promise<void> {
    this.ended = true;
    return this.finished();
  }

  async finished(): Promise<void> {
    await Promise.all(this.clients);
    await this.agent.close();
  }

  private async send(url: string, token: string): Promise<void> {
    while (!this.ended) {
      try {
        const headers = { authorization: `Bearer ${token}` };
        const { statusCode, body } = await request(url, { method: 'POST', headers, dispatcher: this.agent });
        await body.dump();
        if (statusCode === 204) this.stored += 1;
        else this.failures.push(String(statusCode));
        if (this.pauseMs > 0) await pause(this.pauseMs);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED') return;
        this.failures.push(code ?? message);
      }
    }
  }
}
