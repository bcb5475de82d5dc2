import { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The header with the moment of the scenario at which a request is sent. */
export const SENT_AT_HEADER = 'x-scenario-time';

/**
 * A fake clock that gives each request with the header its own time, so that heartbeats of different moments, between
 * which nothing else happens, can be sent concurrently.
 */
export class RequestClock extends ManualClock {
  /** One for all clocks: Node slows down with each storage that has been used, until the process ends. */
  private static readonly own = new AsyncLocalStorage<Date>();

  override now(): Date {
    return RequestClock.own.getStore() ?? super.now();
  }

  /** Reads the header of every request to `app`. Call it before the app is ready. */
  follow(app: NestFastifyApplication): void {
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', (request, _reply, done) => {
        const at = request.headers[SENT_AT_HEADER];
        if (typeof at === 'string') RequestClock.own.run(new Date(Number(at)), done);
        else done();
      });
  }
}
