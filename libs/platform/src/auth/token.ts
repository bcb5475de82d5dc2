import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Of a bottle, a gateway, an API key, a session. */
export type TokenPrefix = 'pwb' | 'pwg' | 'pwk' | 'pws';

/** A new bearer token: 256 random bits, base64url, behind a prefix that tells leak scanners what it is. */
export function newToken(prefix: TokenPrefix): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** The prefix of a token as we make them; undefined for any other text. */
export function prefixOf(token: string): TokenPrefix | undefined {
  return /^(pwb|pwg|pwk|pws)_[\w-]{43}$/.exec(token)?.[1] as TokenPrefix | undefined;
}

/** What is stored of a token: its SHA-256, hex. 256 random bits need no slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Compares two secrets in constant time, whatever their lengths. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The token of an `Authorization: Bearer …` header, or undefined. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]{1,512})$/i.exec(header ?? '')?.[1];
}
