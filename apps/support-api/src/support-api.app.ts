import { type Clock, createHttpApp, type HttpAppOptions } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { SupportApiConfig } from './config.js';
import { SupportApiModule } from './support-api.module.js';

const OPTIONS: HttpAppOptions = {
  title: 'Pillwatch support API',
  description:
    'For staff and the operator: registering and looking up bottles, alerts, deliveries, the fleet.',
};

/** Builds support-api, ready to listen. */
export function createSupportApi(
  config: SupportApiConfig,
  options: Partial<HttpAppOptions> & { clock?: Clock } = {},
): Promise<NestFastifyApplication> {
  const { clock, ...http } = options;
  return createHttpApp(SupportApiModule.forRoot(config, clock), { ...OPTIONS, ...http });
}
