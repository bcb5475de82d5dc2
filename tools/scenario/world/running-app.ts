import { Lifecycle } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { HttpClient } from './http-client.js';

/** A service that listens on a port of its own, and the connections to it. */
export class RunningApp {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly http: HttpClient,
  ) {}

  static async start(app: NestFastifyApplication): Promise<RunningApp> {
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new RunningApp(app, new HttpClient(`http://127.0.0.1:${port}`));
  }

  async stop(): Promise<void> {
    await this.http.close();
    // an orderly stop waits a second for clients with open connections: ours has gone
    this.app.get(Lifecycle).listening = false;
    await this.app.close();
  }
}
