import type { PushKey } from '#platform';
import { sign } from 'node:crypto';

/** How long a push service accepts a request's signature; a day at most (RFC 8292, 2). Seconds. */
const LIFETIME_S = 12 * 60 * 60;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const HEADER = encoded({ typ: 'JWT', alg: 'ES256' });

/**
 * The header by which a push service knows who sends (VAPID, RFC 8292).
 *
 * @param subject whom its operator can ask: an address with `https:` or `mailto:`; undefined if there is none
 */
export function vapidHeader(
  { sign: key, publicKey }: PushKey,
  endpoint: URL,
  subject: string | undefined,
  now: Date,
): string {
  const claims = {
    aud: endpoint.origin,
    exp: Math.floor(now.getTime() / 1_000) + LIFETIME_S,
    ...(subject !== undefined && { sub: subject }),
  };
  const signed = `${HEADER}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')},k=${publicKey}`;
}
