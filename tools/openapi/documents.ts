import { type ApiDescription, describeApi, loadConfig } from '#platform';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { DeviceApiConfig } from '../../apps/device-api/src/config.js';
import { DEVICE_API } from '../../apps/device-api/src/device-api.app.js';
import { DeviceApiModule } from '../../apps/device-api/src/device-api.module.js';
import { SupportApiConfig } from '../../apps/support-api/src/config.js';
import { supportApi } from '../../apps/support-api/src/support-api.app.js';
import { SupportApiModule } from '../../apps/support-api/src/support-api.module.js';

/** Nothing is started with them. */
const ENV = { MONGODB_URI: 'mongodb://localhost', SECOND_FACTOR: 'off' };

/** The OpenAPI documents as the services serve them at `/docs/json`, support-api over TLS; nothing is started. */
export async function documents(): Promise<Record<'device-api' | 'support-api', OpenAPIObject>> {
  const device = DeviceApiModule.forRoot(loadConfig(DeviceApiConfig, ENV));
  const support = SupportApiModule.forRoot(loadConfig(SupportApiConfig, ENV));
  return {
    'device-api': await documentOf(device, DEVICE_API),
    'support-api': await documentOf(support, supportApi(true)),
  };
}

async function documentOf(module: DynamicModule, description: ApiDescription): Promise<OpenAPIObject> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    preview: true,
    abortOnError: false,
    logger: ['error', 'fatal'],
  });
  return describeApi(app, description);
}
