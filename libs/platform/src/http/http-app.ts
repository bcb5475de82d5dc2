import { ConsoleLogger, type Type, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ApiDescription, describeApi } from './api-document.js';
import { refuseOddShapes, refuseOtherThanObject } from './json-body.js';
import { Lifecycle } from './lifecycle.js';
import { requireOperationsKey } from './operations-key.js';
import { answerProblem, ProblemFilter } from './problem.filter.js';
import { RequestValidationPipe } from './validation.js';

/** What differs from one HTTP service to the next. */
export interface HttpAppOptions extends ApiDescription {
  /** Bytes; a longer body is refused with 413. */
  bodyLimit?: number;
  /** False leaves Swagger's page out and serves `/docs/json` only. */
  docsPage?: boolean;
  /** Opens `/metrics` and `/docs`; undefined: to nobody; `off`: to everyone. */
  operationsKey?: string | undefined;
  /** The proxies whose `X-Forwarded-For` is believed, as Fastify's `trustProxy` takes them. */
  trustedProxies?: string | undefined;
  /** Sees every request before it is routed. @returns true if it answers the request itself. */
  beforeRouting?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** False keeps Nest quiet (tests, the demo). */
  logs?: boolean;
}

const DEFAULT_BODY_LIMIT = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Fastify's own default. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Builds a service ready to listen, the same for `main.ts` and for tests. */
export async function createHttpApp(
  module: Type | DynamicModule,
  options: HttpAppOptions,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, createAdapter(options), {
    bodyParser: false,
    abortOnError: false,
    logger:
      options.logs === false
        ? ['error', 'fatal']
        : new ConsoleLogger({ json: !process.stdout.isTTY, logLevels: ['log', 'warn', 'error', 'fatal'] }),
  });
  return configureApp(app, options);
}

/** Everything that makes the app behave as documented: body parser, validation, errors, API description. */
export function configureApp(app: NestFastifyApplication, options: HttpAppOptions): NestFastifyApplication {
  const fastify = app.getHttpAdapter().getInstance();
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (
      request: FastifyRequest,
      body: string | Buffer,
      done: (error: Error | null, value?: unknown) => void,
    ) => {
      // an empty heartbeat is a heartbeat, whatever its content type says
      if (body.length === 0) return done(null, undefined);
      void parseJson(request, body as string, (error: Error | null, value?: unknown) => {
        if (error !== null) return done(error);
        try {
          refuseOddShapes(value);
          refuseOtherThanObject(value);
          done(null, value);
        } catch (refusal) {
          done(refusal as Error);
        }
      });
    },
  );
  const lifecycle = app.get(Lifecycle);
  // a callback, not a promise: one promise per response is measurable on the hot path
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (lifecycle.stopping) void reply.header('connection', 'close');
    done();
  });
  fastify.addHook('onListen', async () => {
    lifecycle.listening = true;
  });
  fastify.addHook('onRequest', (_request, _reply, done) => lifecycle.admit(done));
  requireOperationsKey(fastify, options.operationsKey);
  fastify.addHook('preClose', () => lifecycle.stopListening(fastify.server));
  app.useGlobalPipes(new RequestValidationPipe());
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
    requestTimeout: REQUEST_TIMEOUT_MS,
    ...(options.beforeRouting && { serverFactory: serverWith(options.beforeRouting) }),
    trustProxy: options.trustedProxies ?? false,
    routerOptions: { maxParamLength: 500 },
    // an address that cannot be decoded never reaches Nest and its filter
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) =>
      answerProblem(error, reply),
  });
}

/** Fastify applies no timeouts to a server that it did not create. */
function serverWith(beforeRouting: NonNullable<HttpAppOptions['beforeRouting']>): FastifyServerFactory {
  return (route) => {
    const server = createServer((request, response) => {
      if (!beforeRouting(request, response)) route(request, response);
    });
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
    server.setTimeout(0);
    return server;
  };
}

function describe(app: NestFastifyApplication, options: HttpAppOptions): void {
  const page = options.docsPage !== false;
  SwaggerModule.setup('docs', app, () => describeApi(app, options), {
    jsonDocumentUrl: 'docs/json',
    ...(page ? { raw: ['json'] } : { ui: false, raw: ['json'] }),
  });
}
