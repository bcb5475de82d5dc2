import { type Clock, createHttpApp, type HttpAppOptions, Problem } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { acceptCsv } from './bottles/import/csv-body.js';
import type { SupportApiConfig } from './config.js';
import { consoleFolder, readConsole } from './console/built-console.js';
import { serveConsole } from './console/serve-console.js';
import { addSecurityHeaders } from './http/security-headers.js';
import { SupportApiModule } from './support-api.module.js';

const OPTIONS: HttpAppOptions = {
  title: 'Pillwatch support API',
  description:
    'For staff and the operator: registering and looking up bottles, alerts, deliveries, the fleet.',
};

/** What tests set. */
interface SupportApiOptions extends Partial<HttpAppOptions> {
  clock?: Clock;
  /** Where the built console is. */
  console?: string;
}

/** Builds support-api, ready to listen. */
export async function createSupportApi(
  config: SupportApiConfig,
  options: SupportApiOptions = {},
): Promise<NestFastifyApplication> {
  const { clock, console: folder = consoleFolder(), ...http } = options;
  const app = await createHttpApp(SupportApiModule.forRoot(config, clock), {
    ...OPTIONS,
    trustedProxies: config.TRUSTED_PROXIES,
    ...http,
  });
  addSecurityHeaders(app, config.overTls);
  acceptFormsOfLinks(app);
  acceptCsv(app);
  const console = await readConsole(folder);
  if (console) serveConsole(app, console);
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
