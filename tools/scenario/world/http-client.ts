import { Pool } from 'undici';
import { SENT_AT_HEADER } from '../time/request-clock.js';

export interface Answer {
  status: number;
  body: unknown;
}

/** Real HTTP to one service, over connections that are kept. */
export class HttpClient {
  private readonly pool: Pool;

  constructor(origin: string) {
    this.pool = new Pool(origin, { connections: 32, bodyTimeout: 30_000, headersTimeout: 30_000 });
  }

  /** @param at the moment of sending, for a service whose clock asks (RequestClock). */
  async send(method: string, path: string, token: string, body?: unknown, at?: Date): Promise<Answer> {
    const answer = await this.pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(at ? { [SENT_AT_HEADER]: String(at.getTime()) } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
