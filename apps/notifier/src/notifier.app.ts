import { type Clock, createHttpApp, type HttpAppOptions } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { NotifierConfig } from './config.js';
import { NotifierModule } from './notifier.module.js';

const OPTIONS: HttpAppOptions = {
  title: 'Pillwatch notifier',
  description: 'Health and metrics of the scheduled checks.',
};

/** Builds notifier, ready to listen. Its jobs begin when the app is initialised. */
export function createNotifier(
  config: NotifierConfig,
  options: Partial<HttpAppOptions> & { clock?: Clock; jobs?: boolean } = {},
): Promise<NestFastifyApplication> {
  const { clock, jobs, ...http } = options;
  return createHttpApp(NotifierModule.forRoot(config, clock, jobs), {
    ...OPTIONS,
    operationsKey: config.OPERATIONS_KEY,
    wrongTokenLimit: config.WRONG_TOKEN_LIMIT,
    ...http,
  });
}
