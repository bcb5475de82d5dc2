import { HOUR_MS } from '#domain';
import { hashToken } from '#platform';

/** The length of a shift, after which everybody signs in again. Milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR_MS;

/** The name of the session's cookie. @param overTls with `__Host-`, no other host and no page without TLS can set it */
export const cookieName = (overTls: boolean): string => `${overTls ? '__Host-' : ''}pillwatch_session`;

/** The session token in a Cookie header; undefined without one. */
export function sessionToken(header: string | undefined, overTls: boolean): string | undefined {
  return new RegExp(`(?:^|;) *${cookieName(overTls)}=(pws_[\\w-]{43})(?:;|$)`).exec(header ?? '')?.[1];
}

/**
 * The Set-Cookie header that starts a session; without a token it ends one.
 *
 * @param overTls send the cookie over TLS only
 */
export function sessionCookie(token: string, overTls: boolean): string {
  const maxAge = token === '' ? 0 : SESSION_LIFETIME / 1000;
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAge}`];
  return [`${cookieName(overTls)}=${token}`, ...attributes, ...(overTls ? ['Secure'] : [])].join('; ');
}

/** The token a page sends with every change: only a page that can read our responses knows it. Needs no storage. */
export function csrfToken(token: string): string {
  return hashToken(`csrf\n${token}`);
}
