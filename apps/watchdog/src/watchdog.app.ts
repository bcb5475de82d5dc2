import { type Clock, createHttpApp, type HttpAppOptions } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { WatchdogConfig } from './config.js';
import { WatchdogModule } from './watchdog.module.js';

const OPTIONS: HttpAppOptions = {
  title: 'Pillwatch watchdog',
  description: 'Health and metrics of the canary, and the webhook that it is notified by.',
};

/** Builds watchdog, ready to listen. */
export async function createWatchdog(
  config: WatchdogConfig,
  { clock, ...http }: Partial<HttpAppOptions> & { clock?: Clock } = {},
): Promise<NestFastifyApplication> {
  const app = await createHttpApp(WatchdogModule.forRoot(config, clock), {
    ...OPTIONS,
    operationsKey: config.OPERATIONS_KEY,
    wrongTokenLimit: config.WRONG_TOKEN_LIMIT,
    ...http,
  });
  const fastify = app.getHttpAdapter().getInstance();
  // the signature is of the text as it was sent
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  return app;
}
