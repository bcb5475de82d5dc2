import { type DynamicModule, Logger, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressLimit } from '../auth/address-limit.js';
import { Clock } from '../clock.js';
import type { RateLimit } from '../config/settings.js';
import { ServiceLogger } from '../logs/service-logger.js';
import { AllowedMethods } from './allowed-methods.js';
import { type ApiDescription, describeApi } from './api-document.js';
import { ANSWER_MISSING_HOST, answerOnConnection, answersMissingHost } from './connection-errors.js';
import { compressLarge } from './compress.js';
import { keepForwardedAddresses, untrustedProxyWarning } from './forwarded-for.js';
import { acceptJson } from './json-body.js';
import { Lifecycle } from './lifecycle.js';
import { oneAtATime } from './one-at-a-time.js';
import { requireOperationsKey } from './operations-key.js';
import { Problem } from './problem.js';
import { answerProblem, ProblemFilter } from './problem.filter.js';
import { sendQuota } from './rate-limit.js';
import { requestId } from './request-id.js';
import { traceRequests } from '../tracing/trace-requests.js';
import { RequestValidationPipe } from './validation.js';

/** What differs from one HTTP service to the next. */
export interface HttpAppOptions extends ApiDescription {
  /** Bytes; a longer body is refused with 413. */
  bodyLimit?: number;
  /** False leaves Swagger's page out and serves `/docs/json` only. */
  docsPage?: boolean;
  /** Opens `/metrics` and `/docs`; undefined: to nobody; `off`: to everyone. */
  operationsKey?: string | undefined;
  /** How many wrong ones an address may send; undefined for no limit. */
  wrongTokenLimit?: RateLimit | undefined;
  /** Gets each request with a wrong one. */
  onWrongKey?: (request: FastifyRequest, problem: Problem) => void;
  /** The proxies whose `X-Forwarded-For` is believed, as Fastify's `trustProxy` takes them. */
  trustedProxies?: string | undefined;
  /** Sees every request before it is routed. @returns true if it answers the request itself. */
  beforeRouting?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** True: the service checks its bodies itself, so no pipe runs for what is only handed on. */
  checksBodies?: boolean;
  /** False keeps Nest quiet (tests, the demo). */
  logs?: boolean;
}

const DEFAULT_BODY_LIMIT = 64 * 1024;
/** How long a client may take to send, and how often that is checked. Milliseconds. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Fastify's own default
  keepAliveTimeout: 72_000,
};

/** Builds a service ready to listen, the same for `main.ts` and for tests. */
export async function createHttpApp(
  module: Type | DynamicModule,
  options: HttpAppOptions,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, createAdapter(options), {
    bodyParser: false,
    abortOnError: false,
    logger: options.logs === false ? ['error', 'fatal'] : new ServiceLogger(),
  });
  return configureApp(app, options);
}

/** Everything that makes the app behave as documented: body parser, validation, errors, API description. */
export function configureApp(app: NestFastifyApplication, options: HttpAppOptions): NestFastifyApplication {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  acceptJson(fastify);
  const lifecycle = app.get(Lifecycle);
  // callbacks, not promises, and one hook, not one for each purpose: both are measurable on the hot path
  fastify.addHook('onSend', (request, reply, payload, done) => {
    sendQuota(request, reply);
    if (lifecycle.stopping) void reply.header('connection', 'close');
    compressLarge(request, reply, payload, done);
  });
  fastify.addHook('onListen', async () => {
    lifecycle.listening = true;
    const { address, port } = fastify.server.address() as AddressInfo;
    new Logger('Http').log(`${options.title} listens on ${address}, port ${port}`);
  });
  const warnOfUntrustedProxy = untrustedProxyWarning();
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    warnOfUntrustedProxy(request);
    if (!refuseEncoded(request, reply)) lifecycle.admit(done);
  });
  traceRequests(fastify);
  app.get(AllowedMethods).watch(fastify);
  const failures = new AddressLimit(options.wrongTokenLimit, app.get(Clock));
  requireOperationsKey(fastify, options.operationsKey, failures, options.onWrongKey);
  fastify.addHook('preClose', () => lifecycle.stopListening(fastify.server));
  if (!options.checksBodies) app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalFilters(new ProblemFilter());
  describe(app, options);
  return app;
}

function createAdapter(options: HttpAppOptions): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: options.bodyLimit ?? DEFAULT_BODY_LIMIT,
    // while closing: serve what arrives on open connections, with `connection: close`, instead of a 503
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: serverWith(options.beforeRouting),
    clientErrorHandler: answerOnConnection,
    genReqId: ({ headers }: { headers: IncomingHttpHeaders }) => requestId(headers),
    trustProxy: options.trustedProxies ?? false,
    routerOptions: { maxParamLength: 500 },
    // an address that cannot be decoded never reaches Nest and its filter
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) =>
      answerProblem(error, reply),
  });
}

/** Fastify applies no timeouts to a server that it did not create. */
function serverWith(beforeRouting: HttpAppOptions['beforeRouting']): FastifyServerFactory {
  return (route) =>
    createServer(
      { ...TIMEOUTS, ...ANSWER_MISSING_HOST },
      oneAtATime((request, response) => {
        keepForwardedAddresses(request.headers);
        if (answersMissingHost(request, response)) return;
        if (!beforeRouting?.(request, response)) route(request, response);
      }),
    );
}

/** Refuses a compressed body unread: a small one may be large when it is unpacked. */
function refuseEncoded(request: FastifyRequest, reply: FastifyReply): boolean {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return false;
  void reply.header('accept-encoding', 'identity');
  answerProblem(
    new Problem(415, 'unsupported_encoding', 'Send the body as it is, without content-encoding.'),
    reply,
  );
  return true;
}

function describe(app: NestFastifyApplication, options: HttpAppOptions): void {
  const page = options.docsPage !== false;
  SwaggerModule.setup('docs', app, () => describeApi(app, options), {
    jsonDocumentUrl: 'docs/json',
    ...(page ? { raw: ['json'] } : { ui: false, raw: ['json'] }),
  });
}
