import { weightIn } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';

/** Bytes. What has a secret, such as a session, is shorter: its length tells nothing. */
const MIN_BYTES = 4_096;
const COMPRESSIBLE = /^(application\/json|text\/csv)\b/;
const zip = promisify(gzip);

/** Compresses large JSON and CSV for clients that take gzip. */
export function compressLarge(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (request, reply, payload: unknown) => {
      const isStream = payload instanceof Readable;
      const isText = typeof payload === 'string' && Buffer.byteLength(payload) >= MIN_BYTES;
      const etag = reply.getHeader('etag');
      // a strong ETag names the bytes of the response
      const isExact = etag !== undefined && !String(etag).startsWith('W/');
      if (!(isStream || isText) || isExact || request.method === 'HEAD') return payload;
      if (!COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return payload;
      void reply.header('vary', 'accept-encoding');
      if (weightIn(request.headers['accept-encoding'], 'gzip', '*') === 0) return payload;
      void reply.header('content-encoding', 'gzip').removeHeader('content-length');
      // a source that fails ends the compressed stream, and so the connection: nobody takes a part for the whole
      return isStream ? pipeline(payload, createGzip(), () => undefined) : zip(payload);
    });
}
