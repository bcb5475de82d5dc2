import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a browser: base64url. */
export interface BrowserKeys {
  p256dh: string;
  auth: string;
}

/** What a test gives, to compare with the example of RFC 8291. */
interface Chosen {
  salt?: Buffer;
  /** Of the one message. */
  privateKey?: Buffer;
}

const SALT_BYTES = 16;
const RECORD_SIZE = 4_096;
/** A message of fewer bytes is filled up: its length does not say what it is. */
const PADDED_BYTES = 1_024;
/** After what is encrypted, before the padding, in the last record (RFC 8188, 2). */
const LAST_RECORD = 2;

/**
 * Encrypts a message for one browser (RFC 8291): `aes128gcm` with one record, and with a key of its own.
 *
 * @param chosen by tests only
 * @throws Error if the browser's key is not a point of the curve
 */
export function encryptFor(
  { p256dh, auth }: BrowserKeys,
  message: string,
  {
    salt = randomBytes(SALT_BYTES),
    privateKey,
    paddedBytes = PADDED_BYTES,
  }: Chosen & { paddedBytes?: number } = {},
): Buffer {
  const ecdh = createECDH('prime256v1');
  if (privateKey) ecdh.setPrivateKey(privateKey);
  else ecdh.generateKeys();
  const [ours, theirs] = [ecdh.getPublicKey(), Buffer.from(p256dh, 'base64url')];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const input = hkdf(ecdh.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32);
  const key = hkdf(input, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdf(input, salt, 'Content-Encoding: nonce\0', 12);

  const plain = Buffer.concat([Buffer.from(message), Buffer.from([LAST_RECORD])]);
  const padding = Buffer.alloc(Math.max(0, paddedBytes - plain.length));
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const record = Buffer.concat([
    cipher.update(plain),
    cipher.update(padding),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE);
  return Buffer.concat([salt, size, Buffer.from([ours.length]), ours, record]);
}

function hkdf(input: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, length));
}
