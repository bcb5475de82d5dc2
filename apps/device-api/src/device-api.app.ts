import { type ApiDescription, admitBeforeBody, Clock, createHttpApp, type HttpAppOptions } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DeviceGuard } from './auth/device.guard.js';
import { GatewayGuard } from './auth/gateway.guard.js';
import type { DeviceApiConfig } from './config.js';
import { Activity } from './reports/activity.js';
import { DeviceApiModule } from './device-api.module.js';
import { ReportCounters } from './reports/report-counters.js';
import { refusalWhenFull } from './refuse-when-full.js';

export const DEVICE_API: ApiDescription = {
  title: 'Pillwatch device API',
  description: 'For pill bottles and gateways: heartbeats, actions (opened, closed), and backlogs.',
};
/** Bytes. */
const BODY_LIMIT = 512 * 1024;

/** Builds device-api, ready to listen. */
export async function createDeviceApi(
  config: DeviceApiConfig,
  options: Partial<HttpAppOptions> & { clock?: Clock; counting?: boolean } = {},
): Promise<NestFastifyApplication> {
  const { clock, counting, ...http } = options;
  let refuse: ReturnType<typeof refusalWhenFull> = () => false;
  const app = await createHttpApp(DeviceApiModule.forRoot(config, clock, counting), {
    ...DEVICE_API,
    bodyLimit: BODY_LIMIT,
    operationsKey: config.OPERATIONS_KEY,
    wrongTokenLimit: config.WRONG_TOKEN_LIMIT,
    trustedProxies: config.TRUSTED_PROXIES,
    ...http,
    beforeRouting: (request, response) => refuse(request, response),
  });
  refuse = refusalWhenFull(app);
  countRefusals(app);
  authenticateCallers(app);
  return app;
}

/** Every route of the API has a caller: a gateway, or else a bottle. */
function authenticateCallers(app: NestFastifyApplication): void {
  const [bottles, gateways] = [app.get(DeviceGuard), app.get(GatewayGuard)];
  admitBeforeBody(app, (_method, path) => {
    if (!path.startsWith('/v1/')) return undefined;
    const guard = path.startsWith('/v1/gateway/') ? gateways : bottles;
    return (request) => guard.authenticate(request);
  });
}

/** Counts refused requests, and the reports in them, by the code in the response, whatever refused them. */
function countRefusals(app: NestFastifyApplication): void {
  const [activity, counters, clock] = [app.get(Activity), app.get(ReportCounters), app.get(Clock)];
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (request, reply, payload, done) => {
      if (reply.statusCode >= 400 && request.url.startsWith('/v1/') && typeof payload === 'string') {
        const { code } = JSON.parse(payload) as { code: string };
        activity.refused(code, clock.now());
        counters.countRefused(code, reportsIn(request.body));
      }
      done();
    });
}

/** The reports in a request; one if its body was not read. */
function reportsIn(body: unknown): number {
  const { items } = (body ?? {}) as { items?: unknown };
  return Array.isArray(items) ? items.length : 1;
}
