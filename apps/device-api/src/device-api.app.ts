import { type Clock, createHttpApp, type HttpAppOptions } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DeviceApiConfig } from './config.js';
import { DeviceApiModule } from './device-api.module.js';

const OPTIONS: HttpAppOptions = {
  title: 'Pillwatch device API',
  description: 'What a pill bottle sends: heartbeats, openings and closings, and its backlog.',
  bodyLimit: 512 * 1024,
};

/** Builds device-api, ready to listen. */
export function createDeviceApi(
  config: DeviceApiConfig,
  options: Partial<HttpAppOptions> & { clock?: Clock } = {},
): Promise<NestFastifyApplication> {
  const { clock, ...http } = options;
  return createHttpApp(DeviceApiModule.forRoot(config, clock), { ...OPTIONS, ...http });
}
