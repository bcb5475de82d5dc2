import { Clock, createHttpApp, type HttpAppOptions, overloaded } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DeviceApiConfig } from './config.js';
import { Activity } from './reports/activity.js';
import { DeviceApiModule } from './device-api.module.js';
import { ReportWriter } from './reports/report-writer.js';

const OPTIONS: HttpAppOptions = {
  title: 'Pillwatch device API',
  description: 'What a pill bottle sends: heartbeats, openings and closings, and its backlog.',
  bodyLimit: 512 * 1024,
};

/** Builds device-api, ready to listen. */
export async function createDeviceApi(
  config: DeviceApiConfig,
  options: Partial<HttpAppOptions> & { clock?: Clock; counting?: boolean } = {},
): Promise<NestFastifyApplication> {
  const { clock, counting, ...http } = options;
  const app = await createHttpApp(DeviceApiModule.forRoot(config, clock, counting), { ...OPTIONS, ...http });
  refuseWhenFull(app);
  countRefusals(app);
  return app;
}

/**
 * While too many reports wait, a request is answered before anything is done for it: its token is not looked up, its
 * body not read, its answer not made anew. So a flood costs little of what is left for those who wait.
 */
function refuseWhenFull(app: NestFastifyApplication): void {
  const [writer, activity, clock] = [app.get(ReportWriter), app.get(Activity), app.get(Clock)];
  const { status, headers, body, code } = overloaded();
  let refused = 0;
  const count = (): void => {
    activity.refused(code, clock.now(), refused);
    refused = 0;
  };
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, goOn) => {
      if (!writer.isFull || request.method !== 'POST') return goOn();
      // those of one turn of the event loop are counted together
      if (refused === 0) setImmediate(count);
      refused += 1;
      reply.hijack();
      reply.raw.writeHead(status, headers).end(body);
    });
}

/** Whatever refuses a request, its answer names the code: there it is counted. */
function countRefusals(app: NestFastifyApplication): void {
  const [activity, clock] = [app.get(Activity), app.get(Clock)];
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode < 400 || !request.url.startsWith('/v1/') || typeof payload !== 'string') return;
      const { code } = JSON.parse(payload) as { code: string };
      activity.refused(code, clock.now());
    });
}
