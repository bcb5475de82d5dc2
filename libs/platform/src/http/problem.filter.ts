import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { QueueFullError } from '../group-commit/group-commit.js';
import { Throttled } from '../logs/throttled.js';
import { instanceOf, Problem, problemBody } from './problem.js';
import { logFields, type RequestContext, requestId } from './request-id.js';

/** What Fastify says of a request that never reached a controller, in our codes. */
const FASTIFY_CODES: Record<string, [status: number, code: string, detail: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The body is larger than this address takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    415,
    'unsupported_media_type',
    'Send JSON, with content-type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'malformed_body',
    'The body is not as long as its content-length says.',
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'malformed_json', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: [400, 'malformed_url', 'The address cannot be decoded.'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'url_too_long', 'A part of the address is too long.'],
};

const STATUS_CODES: Record<number, string> = { 404: 'route_not_found', 405: 'method_not_allowed' };

const logger = new Logger('Http');

/** Turns whatever was thrown into problem details. A 500 shows only an id, which is in the log. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    answerProblem(error, host.switchToHttp().getResponse<FastifyReply>());
  }
}

/** Answers a request with what was thrown, as problem details. */
export function answerProblem(error: unknown, reply: FastifyReply): void {
  const problem = toProblem(error) ?? internal(error, reply.request);
  const body =
    'body' in problem
      ? problem.body
      : problemBody(problem.getStatus(), problem.code, problem.message, problem.errors);
  if (problem instanceof Problem && problem.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(problem.retryAfterSeconds));
  }
  if (body.status === 401 && !reply.hasHeader('www-authenticate'))
    void reply.header('www-authenticate', 'Bearer');
  letRead(reply);
  void reply
    .status(body.status)
    .type('application/problem+json')
    .send({ ...body, instance: instanceOf(reply.request.id) });
}

/**
 * Keeps the connection of a client that still sends its body: closing it, as Fastify does after 413, would take the
 * answer away. Node reads and drops the rest, for as long as a request may take. Then it is closed, if the client asked.
 */
function letRead(reply: FastifyReply): void {
  const { raw: request } = reply.request;
  if (request.complete) return;
  if (!reply.raw.shouldKeepAlive) request.once('end', () => reply.raw.socket?.end());
  void reply.header('connection', 'keep-alive');
}

function queueFull(): Problem {
  return Problem.unavailable(
    'overloaded',
    'More came in than can be stored. Nothing was acknowledged; send it again.',
  );
}

/** The answer to who comes while the queue is full: all of it but the request's id is made once. */
export function overloaded(): {
  code: string;
  answer: (headers: IncomingHttpHeaders, response: ServerResponse) => void;
} {
  const { code, message, retryAfterSeconds } = queueFull();
  const instance = instanceOf('');
  const [before, after] = JSON.stringify({ ...problemBody(503, code, message), instance }).split(instance);
  const answer = (headers: IncomingHttpHeaders, response: ServerResponse): void => {
    const id = requestId(headers);
    // ASCII only
    const body = `${before}${instanceOf(id)}${after}`;
    const sent = {
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': body.length,
      'retry-after': String(retryAfterSeconds),
      'x-request-id': id,
    };
    response.writeHead(503, sent).end(body);
  };
  return { code, answer };
}

function internal(error: unknown, request: RequestContext): { body: ReturnType<typeof problemBody> } {
  const errorId = randomUUID();
  logger.error(error, { error_id: errorId, ...logFields(request) });
  return {
    body: { ...problemBody(500, 'internal_error', 'Something went wrong on our side.'), error_id: errorId },
  };
}

function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof QueueFullError) return queueFull();
  // Nest puts what Fastify throws into an HttpException of its own
  const cause = error instanceof HttpException ? (error.cause ?? error) : error;
  const { code, statusCode, name } = (cause ?? {}) as { code?: string; statusCode?: number; name?: string };
  const known = code === undefined ? undefined : FASTIFY_CODES[code];
  if (known) return new Problem(...known);
  if (cause instanceof SyntaxError || name === 'SyntaxError') {
    return statusCode === 400 ? new Problem(400, 'malformed_json', 'The body is not valid JSON.') : undefined;
  }
  if (error instanceof HttpException) {
    const status = error.getStatus();
    return status < 500
      ? new Problem(status, STATUS_CODES[status] ?? 'bad_request', error.message)
      : undefined;
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem(statusCode, 'bad_request', 'The request cannot be read.');
  }
  return isDatabaseUnavailable(error) ? databaseUnavailable(error as Error) : undefined;
}

const unavailable = new Throttled();

/** Logs the first such answer, and once a minute how many there were. */
function databaseUnavailable({ name }: Error): Problem {
  const times = unavailable.count();
  if (times !== undefined)
    logger.warn(`answered database_unavailable; so often since the last such line: ${times}; ${name}`);
  return Problem.unavailable(
    'database_unavailable',
    'The database cannot be reached. Nothing was acknowledged; send it again.',
  );
}

const UNAVAILABLE = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'PoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoExpiredSessionError',
  'MongoClientClosedError',
  'DatabaseUnavailableError',
]);

/**
 * True for what the driver throws while there is no writable primary. By name and label, so that this
 * library needs no database driver.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errorLabelSet, code, writeErrors } = error as {
    errorLabelSet?: Set<string>;
    code?: number | string;
    writeErrors?: unknown;
  };
  return (
    UNAVAILABLE.has(error.name) ||
    // a group that failed as a whole: the driver wraps the network's error and drops its name and labels
    (error.name === 'MongoBulkWriteError' && [writeErrors].flat().filter(Boolean).length === 0) ||
    (errorLabelSet?.has('RetryableWriteError') ?? false) ||
    (errorLabelSet?.has('ResetPool') ?? false) ||
    // the driver lets the socket's own error through when it writes to a connection that was just cut
    code === 'EPIPE' ||
    // shutdown in progress, not (yet) primary, interrupted by a step-down; write concern timeouts
    [91, 189, 10_107, 11_600, 11_602, 13_435, 13_436, 64, 100].includes(Number(code ?? -1))
  );
}
