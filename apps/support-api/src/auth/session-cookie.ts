import { hashToken } from '#platform';

const NAME = 'pillwatch_session';
const TOKEN = new RegExp(`(?:^|;) *${NAME}=(pws_[\\w-]{43})(?:;|$)`);

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
  return [`${NAME}=${token}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/** The token a page sends with every change: only a page that can read our responses knows it. Needs no storage. */
export function csrfToken(token: string): string {
  return hashToken(`csrf\n${token}`);
}
