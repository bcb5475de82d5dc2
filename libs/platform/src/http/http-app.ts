import { ConsoleLogger, type Type, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Lifecycle } from './lifecycle.js';
import { Problem } from './problem.js';
import { ProblemFilter } from './problem.filter.js';
import { createValidationPipe } from './validation.js';

/** What differs from one HTTP service to the next. */
export interface HttpAppOptions {
  title: string;
  description: string;
  /** Bytes; a longer body is refused with 413. */
  bodyLimit?: number;
  /** False leaves Swagger's page out and serves `/docs/json` only. */
  docsPage?: boolean;
  /** False keeps Nest quiet (tests, the demo). */
  logs?: boolean;
}

const DEFAULT_BODY_LIMIT = 64 * 1024;

/** No request has a reason to nest deeper; what looks into a body may then do so by recursion. */
const MAX_DEPTH = 32;

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
        if (error === null && isDeeperThan(MAX_DEPTH, value)) done(tooDeep());
        else done(error, value);
      });
    },
  );
  const lifecycle = app.get(Lifecycle);
  fastify.addHook('onSend', async (_request, reply) => {
    if (lifecycle.stopping) void reply.header('connection', 'close');
  });
  fastify.addHook('onListen', async () => {
    lifecycle.listening = true;
  });
  app.useGlobalPipes(createValidationPipe());
  app.useGlobalFilters(new ProblemFilter());
  describe(app, options);
  return app;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function tooDeep(): Problem {
  return new Problem(400, 'too_deeply_nested', `The body is nested more than ${MAX_DEPTH} levels deep.`);
}

function createAdapter(options: HttpAppOptions): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: options.bodyLimit ?? DEFAULT_BODY_LIMIT,
    // while closing: serve what arrives on open connections, with `connection: close`, instead of a 503
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    routerOptions: { maxParamLength: 200 },
  });
}

function describe(app: NestFastifyApplication, options: HttpAppOptions): void {
  const document = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(options.title)
    .setDescription(options.description)
    .setVersion('1')
    .addBearerAuth()
    .build();
  const page = options.docsPage !== false;
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, document), {
    jsonDocumentUrl: 'docs/json',
    ...(page ? { raw: ['json'] } : { ui: false, raw: ['json'] }),
  });
}
