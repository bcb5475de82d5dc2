import { Lifecycle, Metrics } from '#platform';
import { getConnectionToken } from '@nestjs/mongoose';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Connection } from 'mongoose';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { SENT_AT_HEADER } from './request-clock.js';

export interface Answer {
  status: number;
  body: unknown;
}

/** A service on a port of its own, and keep-alive connections to it. */
export class RunningApp {
  private readonly pool: Pool;

  private constructor(
    readonly app: NestFastifyApplication,
    origin: string,
  ) {
    this.pool = new Pool(origin, {
      connections: 32,
      bodyTimeout: 30_000,
      headersTimeout: 30_000,
      // well before the service closes it: else a request now and then meets the end of its connection
      keepAliveMaxTimeout: 30_000,
    });
  }

  static async start(app: NestFastifyApplication): Promise<RunningApp> {
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new RunningApp(app, `http://127.0.0.1:${port}`);
  }

  /** @param at the moment of sending, for a service with a RequestClock */
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

  /** Presses a button of a page behind a link. @returns the status */
  async press(path: string): Promise<number> {
    const { statusCode, body } = await this.pool.request({ method: 'POST', path });
    await body.dump();
    return statusCode;
  }

  async stop(): Promise<void> {
    await this.pool.close();
    // an orderly stop waits a second for clients with open connections: this one has closed them
    this.app.get(Lifecycle).listening = false;
    await stopApp(this.app);
  }
}

/** Stops an app and releases what the process would keep of it, since one process runs many scenarios. */
export async function stopApp(app: NestFastifyApplication): Promise<void> {
  const connection = app.get<Connection>(getConnectionToken());
  const metrics = app.get(Metrics, { strict: false });
  await app.close();
  // Mongoose lists a closed connection with its models; observers of the process keep a registry with its collectors
  await connection.destroy();
  metrics.clear();
}
