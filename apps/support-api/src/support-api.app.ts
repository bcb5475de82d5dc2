import { type Clock, createHttpApp, type HttpAppOptions, Problem } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { SupportApiConfig } from './config.js';
import { SupportApiModule } from './support-api.module.js';

const OPTIONS: HttpAppOptions = {
  title: 'Pillwatch support API',
  description:
    'For staff and the operator: registering and looking up bottles, alerts, deliveries, the fleet.',
};

/** Builds support-api, ready to listen. */
export async function createSupportApi(
  config: SupportApiConfig,
  options: Partial<HttpAppOptions> & { clock?: Clock } = {},
): Promise<NestFastifyApplication> {
  const { clock, ...http } = options;
  const app = await createHttpApp(SupportApiModule.forRoot(config, clock), { ...OPTIONS, ...http });
  acceptFormsOfLinks(app);
  return app;
}

/** The page behind a message's link posts an empty form; nothing else takes one. */
function acceptFormsOfLinks(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1024 },
    async (request: FastifyRequest) => {
      if (request.url.startsWith('/a/')) return undefined;
      throw new Problem(415, 'unsupported_media_type', 'Send JSON, with content-type: application/json.');
    },
  );
}
