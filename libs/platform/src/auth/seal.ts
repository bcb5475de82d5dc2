import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];

/**
 * Encrypts what has to be stored but not readable in the database or a backup.
 *
 * @param key a setting, or bytes derived from a secret
 * @param owner whose it is: sealed for one, it cannot be opened as another's
 * @returns base64url
 */
export function seal(key: string | Buffer, owner: string, content: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(key), iv).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Opens what {@link seal} returned; undefined if the key or the owner is another. */
export function unseal(key: string | Buffer, owner: string, sealed: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(key), iv).setAAD(Buffer.from(owner)).setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function keyOf(key: string | Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'pillwatch seal', 32));
}
