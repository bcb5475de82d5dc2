import { hashToken } from '#platform';

const NAME = 'pillwatch_session';
const TOKEN = new RegExp(`(?:^|;) *${NAME}=(pws_[\\w-]{43})(?:;|$)`);

/** The session's token in a Cookie header; undefined when there is none. */
export function sessionToken(header: string | undefined): string | undefined {
  return TOKEN.exec(header ?? '')?.[1];
}

/**
 * The Set-Cookie header that begins a session.
 *
 * @param maxAgeSeconds 0 ends it
 * @param secure only over TLS
 */
export function sessionCookie(token: string, maxAgeSeconds: number, secure: boolean): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeSeconds}`];
  return [`${NAME}=${token}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/** What a page has to send with every change: only who can read our answers knows it. Needs no storage. */
export function csrfToken(token: string): string {
  return hashToken(`csrf\n${token}`);
}
