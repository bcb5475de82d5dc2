import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failSpan, isTracing, type Span, startSpan } from './tracing.js';

interface TracedRequest extends FastifyRequest {
  span?: Span | undefined;
}

/** Makes a span of each request of the API; it continues the caller's trace if the request has a `traceparent`. */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return;
  fastify.decorateRequest('span', undefined);
  fastify.addHook('onRequest', (request: TracedRequest, { raw: response }, done) => {
    const span = request.url.startsWith('/v1/') ? spanOf(request) : undefined;
    if (span) {
      request.span = span;
      // only here: a hook for all responses costs those that are not traced, too
      response.once('close', () => endSpan(span, response.statusCode));
    }
    done();
  });
}

function spanOf({ id, method, headers, routeOptions }: FastifyRequest): Span | undefined {
  const { traceparent } = headers;
  // the route and not the address, which may contain a person's id
  const route = routeOptions.url ?? '';
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  return startSpan(`${method} ${route}`, { kind: 'server', parent })?.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'pillwatch.request_id': id,
  });
}

function endSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) failSpan(span);
  span.end();
}
