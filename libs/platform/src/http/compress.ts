import type { FastifyReply, FastifyRequest } from 'fastify';
import { pipeline, Readable } from 'node:stream';
import { createGzip, gzip } from 'node:zlib';
import { weightIn } from './accept.js';

/** Bytes. What has a secret, such as a session, is shorter: its length tells nothing. */
const MIN_BYTES = 4_096;
const COMPRESSIBLE = /^(application\/json|text\/csv)\b/;

/** Compresses large JSON and CSV for clients that take gzip; an `onSend` hook. */
export function compressLarge(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const isStream = payload instanceof Readable;
  const isText = typeof payload === 'string' && Buffer.byteLength(payload) >= MIN_BYTES;
  if (!(isStream || isText) || request.method === 'HEAD') return done(null, payload);
  const etag = reply.getHeader('etag');
  // a strong ETag names the bytes of the response
  const isExact = etag !== undefined && !String(etag).startsWith('W/');
  const type = String(reply.getHeader('content-type'));
  if (isExact || !COMPRESSIBLE.test(type)) return done(null, payload);
  void reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
  if (weightIn(request.headers['accept-encoding'], 'gzip', '*') === 0) return done(null, payload);
  void reply.header('content-encoding', 'gzip').removeHeader('content-length');
  // a source that fails ends the compressed stream, and so the connection: nobody takes a part for the whole
  if (isStream)
    done(
      null,
      pipeline(payload, createGzip(), () => undefined),
    );
  else gzip(payload, done);
}
