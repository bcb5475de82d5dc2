import type { FastifyInstance } from 'fastify';
import { bearerToken, sameSecret } from '../auth/token.js';
import { Problem } from './problem.js';
import { answerProblem } from './problem.filter.js';

const GUARDED = /^\/(metrics|docs)(\/|$)/;

/**
 * Serves `/metrics` and `/docs` only to who has the key: as a bearer token, or as the password that a browser asks for.
 *
 * @param key undefined: nobody has it; `off`: everyone gets in
 */
export function requireOperationsKey(fastify: FastifyInstance, key: string | undefined): void {
  if (key === 'off') return;
  fastify.addHook('onRequest', (request, reply, done) => {
    // the route that was found: its address may be written in several ways
    if (!GUARDED.test(request.routeOptions.url ?? '')) return done();
    const offered = bearerToken(request.headers.authorization) ?? password(request.headers.authorization);
    if (key !== undefined && offered !== undefined && sameSecret(offered, key)) return done();
    void reply.header('www-authenticate', 'Basic realm="Pillwatch operations", charset="UTF-8"');
    answerProblem(
      new Problem(
        401,
        'operations_key_required',
        'Send OPERATIONS_KEY as a bearer token or as the password.',
      ),
      reply,
    );
  });
}

/** The password of an `Authorization: Basic ...` header. */
function password(header: string | undefined): string | undefined {
  const encoded = /^Basic +([\w+/=]{1,1024})$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  return /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}
