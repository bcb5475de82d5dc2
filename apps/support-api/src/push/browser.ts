import type { PushBrowser } from '#persistence';
import { ECDH } from 'node:crypto';
import type { Form } from '../links/form-body.js';

const POINT_BYTES = 65;
const AUTH_BYTES = 16;
/** Those of the push services are half as long. */
const MOST_LETTERS = 1_000;

/**
 * A browser as a form has it; undefined if it cannot be one. Whoever has a link can post what they like: the notifier
 * looks at the address again before it sends anything there.
 *
 * @param mayBePrivate push services at any port, also without TLS
 */
export function browserIn(
  { endpoint = '', p256dh = '', auth = '' }: Form,
  mayBePrivate: boolean,
): Pick<PushBrowser, 'endpoint' | 'p256dh' | 'auth'> | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || endpoint.length > MOST_LETTERS || url.username !== '' || url.password !== '') return undefined;
  const isPublic = url.protocol === 'https:' && url.port === '';
  if (!isPublic && !(mayBePrivate && /^https?:$/.test(url.protocol))) return undefined;
  if (!isPoint(p256dh) || bytesIn(auth)?.length !== AUTH_BYTES) return undefined;
  return { endpoint: url.href, p256dh, auth };
}

function isPoint(text: string): boolean {
  const bytes = bytesIn(text);
  if (bytes?.length !== POINT_BYTES) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

function bytesIn(text: string): Buffer | undefined {
  return /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
