import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerProblem } from './problem.filter.js';

/** What a request must pass before its body is read. @throws Problem, or rejects with one */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/**
 * Lets requests pass an admission before their bodies are read and parsed, which Nest's guards come after.
 *
 * @param admissionOf the admission of a route, by its method and its path as declared; undefined if it is open to all
 */
export function admitBeforeBody(
  app: NestFastifyApplication,
  admissionOf: (method: string, path: string) => Admission | undefined,
): void {
  app
    .getHttpAdapter()
    .getInstance()
    // by the route and not by the address, which may be written in several ways
    .addHook('onRoute', (route) => {
      const admit = admissionOf(String(route.method), route.url);
      // a route with a hook of its own answers by that (405)
      if (!admit || route.onRequest) return;
      route.onRequest = (request, reply, done) => {
        try {
          const admitted = admit(request, reply);
          if (!admitted) return done();
          admitted.then(
            // oxlint-disable-next-line promise/no-callback-in-promise -- a known token needs no promise, on the hot path
            () => done(),
            (error: unknown) => answerProblem(error, reply),
          );
        } catch (error) {
          answerProblem(error, reply);
        }
      };
    });
}
