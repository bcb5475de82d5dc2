import type { DeviceIdentity } from '#persistence';
import {
  admitBeforeBody,
  type ApiDescription,
  type Clock,
  createHttpApp,
  type HttpAppOptions,
} from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Types } from 'mongoose';
import { DeviceGuard } from './auth/device.guard.js';
import { GatewayGuard } from './auth/gateway.guard.js';
import type { DeviceApiConfig } from './config.js';
import { DeviceApiModule } from './device-api.module.js';
import type { KnownRequest } from './auth/token.guard.js';
import { Refusals } from './reports/refusals.js';
import type { ReportType } from './reports/report-counters.js';
import { refusalWhenFull } from './refuse-when-full.js';

const GATEWAY_ROUTES = '/v1/gateway/';

export const DEVICE_API: ApiDescription = {
  title: 'Pillwatch device API',
  description: 'For pill bottles and gateways: heartbeats, actions (opened, closed), and backlogs.',
  ignoresUnknownFields: true,
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
    checksBodies: true,
    operationsKey: config.OPERATIONS_KEY,
    wrongTokenLimit: config.WRONG_TOKEN_LIMIT,
    trustedProxies: config.TRUSTED_PROXIES,
    ...http,
    beforeRouting: (request, response) => refuse(request, response),
  });
  refuse = refusalWhenFull(app);
  noteRefusals(app);
  authenticateCallers(app);
  return app;
}

/** Every route of the API has a caller: a gateway, or else a bottle. */
function authenticateCallers(app: NestFastifyApplication): void {
  const [bottles, gateways] = [app.get(DeviceGuard), app.get(GatewayGuard)];
  admitBeforeBody(app, (_method, path) => {
    if (!path.startsWith('/v1/')) return undefined;
    const guard = path.startsWith(GATEWAY_ROUTES) ? gateways : bottles;
    return (request) => guard.authenticate(request);
  });
}

/** What the routes take that take one report. */
const REPORT_TYPES: Readonly<Record<string, ReportType>> = {
  '/v1/heartbeats': 'heartbeat',
  '/v1/actions': 'action',
};

/** Notes refused requests, and the reports in them, by the code in the response, whatever refused them. */
function noteRefusals(app: NestFastifyApplication): void {
  const refusals = app.get(Refusals);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (request: KnownRequest, reply, payload, done) => {
      if (reply.statusCode < 400 || typeof payload !== 'string') return done();
      const path = request.url.split('?', 1)[0]!;
      if (!path.startsWith('/v1/')) return done();
      const type = REPORT_TYPES[path] ?? 'unknown';
      const isGateway = path.startsWith(GATEWAY_ROUTES);
      const client = isGateway ? undefined : (request.caller?.client as DeviceIdentity | undefined);
      // of a damaged record nothing can be noted
      const device = client?._id instanceof Types.ObjectId ? client : undefined;
      const { code, field } = JSON.parse(payload) as { code: string; field?: string };
      const refusal = { status: reply.statusCode, code, field, type, device, sent: request.body };
      refusals.note(refusal, reportsIn(request.body));
      done();
    });
}

/** The reports in a request; one if its body was not read. */
function reportsIn(body: unknown): number {
  const { items } = (body ?? {}) as { items?: unknown };
  return Array.isArray(items) ? items.length : 1;
}
