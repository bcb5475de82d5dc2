import { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The header that says at which moment of the scenario a request is sent. */
export const SENT_AT_HEADER = 'x-scenario-time';

/**
 * A clock that is set, and that shows each request which says so its own time: heartbeats of different bottles
 * and moments, between which nothing else happens, can then be under way together.
 */
export class RequestClock extends ManualClock {
  private readonly own = new AsyncLocalStorage<Date>();

  override now(): Date {
    return this.own.getStore() ?? super.now();
  }

  /** Reads the header of every request to `app`. Before it listens. */
  follow(app: NestFastifyApplication): void {
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', (request, _reply, done) => {
        const at = request.headers[SENT_AT_HEADER];
        if (typeof at === 'string') this.own.run(new Date(Number(at)), done);
        else done();
      });
  }
}
