import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const TWO_YEARS = 'max-age=63072000';

/**
 * What every answer says to a browser. What the API answers is about people: it is kept by nobody on the way,
 * unless the route says how.
 *
 * @param overTls browsers are to come over TLS only, from now on
 */
export function addSecurityHeaders(app: NestFastifyApplication, overTls: boolean): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request, reply) => {
      void reply.headers({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        ...(overTls ? { 'strict-transport-security': TWO_YEARS } : {}),
        ...(request.url.startsWith('/v1/') ? { 'cache-control': 'no-store' } : {}),
      });
    });
}
