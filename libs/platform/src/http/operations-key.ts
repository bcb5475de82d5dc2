import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AddressLimit } from '../auth/address-limit.js';
import { bearerToken, sameSecret } from '../auth/token.js';
import { Problem } from './problem.js';
import { answerProblem } from './problem.filter.js';
import { logFields } from './request-id.js';

const logger = new Logger('OperationsKey');

const GUARDED = /^\/(metrics|docs)(\/|$)/;

/**
 * Serves `/metrics` and `/docs` only to who has the key: as a bearer token, or as the password that a browser asks for.
 *
 * @param key undefined: nobody has it; `off`: everyone gets in
 * @param failures limits the wrong keys of an address
 * @param refused gets each request with a wrong key
 */
export function requireOperationsKey(
  fastify: FastifyInstance,
  key: string | undefined,
  failures: AddressLimit,
  refused: ((request: FastifyRequest, problem: Problem) => void) | undefined,
): void {
  if (key === 'off') return;
  fastify.addHook('onRequest', (request, reply, done) => {
    // the route that was found: its address may be written in several ways
    if (!GUARDED.test(request.routeOptions.url ?? '')) return done();
    const { authorization } = request.headers;
    const offered = bearerToken(authorization) ?? password(authorization);
    // before the limit: nobody behind the same address can blind the monitoring
    if (key !== undefined && offered !== undefined && sameSecret(offered, key)) return done();
    try {
      failures.admit(request);
    } catch (error) {
      return answerProblem(error, reply);
    }
    const problem = new Problem(
      401,
      'operations_key_required',
      'Send OPERATIONS_KEY as a bearer token or as the password.',
    );
    // a browser asks without a key first
    if (authorization !== undefined) {
      failures.failed(request);
      logger.warn(
        `wrong OPERATIONS_KEY from ${request.ip} for ${request.routeOptions.url}`,
        logFields(request),
      );
      refused?.(request, problem);
    }
    void reply.header('www-authenticate', 'Basic realm="Pillwatch operations", charset="UTF-8"');
    answerProblem(problem, reply);
  });
}

/** The password of an `Authorization: Basic ...` header. */
function password(header: string | undefined): string | undefined {
  const encoded = /^Basic +([\w+/=]{1,1024})$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  return /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}
