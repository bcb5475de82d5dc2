import {
  AddressLimit,
  type ApiDescription,
  admitBeforeBody,
  type Clock,
  createHttpApp,
  type HttpAppOptions,
  networkOf,
} from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { AuditLog } from './auth/audit-log.js';
import { CallerLimits } from './auth/caller-limits.js';
import { Identities } from './auth/identities.js';
import { Refusals, type SignIn } from './auth/refusals.js';
import { cookieName } from './auth/session-cookie.js';
import type { StaffRequest } from './auth/staff.js';
import { acceptCsv } from './bottles/csv-import.js';
import { SCHEDULE } from './bottles/schedule.dto.js';
import type { SupportApiConfig } from './config.js';
import { acceptLinkForms, LINKS } from './links/form-body.js';
import { consoleFolder, readConsole, serveConsole } from './console/serve-console.js';
import { gatewayAdmission } from './sms/admission.js';
import { SmsService } from './sms/sms.service.js';
import { WEBHOOKS } from './webhooks.js';
import { SupportApiModule } from './support-api.module.js';

/** The API description. @param overTls whether the console is reached over TLS: the session's cookie has another name */
export function supportApi(overTls: boolean): ApiDescription {
  return {
    title: 'Pillwatch support API',
    description: 'For staff and the operator: bottles, alerts, notifications and the fleet.',
    session: { cookie: cookieName(overTls), csrfHeader: 'x-csrf-token' },
    unions: { Schedule: SCHEDULE },
    webhooks: WEBHOOKS,
  };
}

const TWO_YEARS = 'max-age=63072000';

/** What tests set. */
interface SupportApiOptions extends Partial<HttpAppOptions> {
  clock?: Clock;
  /** The folder of the built console. */
  console?: string;
}

/** Builds support-api, ready to listen. */
export async function createSupportApi(
  config: SupportApiConfig,
  options: SupportApiOptions = {},
): Promise<NestFastifyApplication> {
  const { clock, console: folder = consoleFolder(), ...http } = options;
  const app: NestFastifyApplication = await createHttpApp(SupportApiModule.forRoot(config, clock), {
    ...supportApi(config.overTls),
    operationsKey: config.OPERATIONS_KEY,
    wrongTokenLimit: config.WRONG_TOKEN_LIMIT,
    onWrongKey: (request, problem) => app.get(Refusals).note(request, problem),
    trustedProxies: config.TRUSTED_PROXIES,
    ...http,
  });
  addSecurityHeaders(app, config.overTls);
  identifyCallers(app);
  // after the last request; Nest's shutdown hooks come after the one that closes the connection to the database
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onClose', () => app.get(AuditLog).finish());
  acceptLinkForms(app);
  acceptCsv(app);
  const console = await readConsole(folder);
  if (console) serveConsole(app, console);
  return app;
}

/**
 * Every route of the API is for staff, but for signing in. Failed attempts to do so count like wrong tokens. A few
 * requests of each caller are in progress at once; event streams have limits of their own. Gateways for SMS have a key.
 */
function identifyCallers(app: NestFastifyApplication): void {
  const [identities, refusals, failures] = [app.get(Identities), app.get(Refusals), app.get(AddressLimit)];
  const limits = app.get(CallerLimits);
  const admitGateway = gatewayAdmission(app.get(SmsService));
  const isSignIn = (method: string, path: string): boolean => method === 'POST' && path === '/v1/session';
  admitBeforeBody(app, (method, path) => {
    if (isSignIn(method, path))
      return (request, reply) => {
        failures.admit(request);
        return limits.waitForTurn(networkOf(request.ip), request, reply.raw);
      };
    if (LINKS.test(path))
      return (request, reply) => limits.waitForTurn(networkOf(request.ip), request, reply.raw);
    if (path.startsWith('/sms/')) return admitGateway;
    if (!path.startsWith('/v1/')) return undefined;
    return async (request: StaffRequest, reply) => {
      try {
        request.staff = { ...(await identities.of(request)), address: request.ip };
      } catch (error) {
        refusals.note(request, error);
        throw error;
      }
      if (path !== '/v1/events') await limits.waitForTurn(request.staff.id, request, reply.raw);
    };
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onResponse', (request: FastifyRequest & SignIn, { statusCode }, done) => {
    const isFailure = statusCode >= 400 && statusCode < 500 && statusCode !== 429 && !request.isFirstHalf;
    if (isFailure && isSignIn(request.method, request.routeOptions.url ?? '')) failures.failed(request);
    done();
  });
}

/**
 * Headers of every response. Responses contain personal data: no cache keeps them. Only the console's files say otherwise.
 *
 * @param overTls tells browsers to use TLS only from now on
 */
function addSecurityHeaders(app: NestFastifyApplication, overTls: boolean): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (_request, reply) => {
      void reply.headers({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        ...(overTls ? { 'strict-transport-security': TWO_YEARS } : {}),
        'cache-control': 'no-store',
      });
    });
}
