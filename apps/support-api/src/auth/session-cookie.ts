import { hashToken } from '#platform';

/** The name of the session's cookie. */
export const SESSION_COOKIE = 'pillwatch_session';
const TOKEN = new RegExp(`(?:^|;) *${SESSION_COOKIE}=(pws_[\\w-]{43})(?:;|$)`);

/** The session token in a Cookie header; undefined without one. */
export function sessionToken(header: string | undefined): string | undefined {
  return TOKEN.exec(header ?? '')?.[1];
}

/**
 * The Set-Cookie header that starts a session.
 *
 * @param maxAgeSeconds 0 ends the session
 * @param secure send the cookie over TLS only
 */
export function sessionCookie(token: string, maxAgeSeconds: number, secure: boolean): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeSeconds}`];
  return [`${SESSION_COOKIE}=${token}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/** The token a page sends with every change: only a page that can read our responses knows it. Needs no storage. */
export function csrfToken(token: string): string {
  return hashToken(`csrf\n${token}`);
}
