import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Span, traceFields } from '../tracing/tracing.js';

/** An id that a client may give its request. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** The request that something is done for. */
export interface RequestContext {
  /** In its response as `x-request-id`, and in the log. */
  id: string;
  /** If it is traced. */
  span?: Span | undefined;
}

/** The fields of a line of the log about a request. */
export function logFields({ id, span }: RequestContext): Record<string, string> {
  return { request_id: id, ...traceFields(span) };
}

/** The id that a request has from its client, or else a new one. */
export function requestId(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
