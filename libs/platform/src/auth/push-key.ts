import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The order of the curve P-256 (FIPS 186-5; SP 800-186, 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** Longer than the order by 64 bits, so that each key is as likely (FIPS 186-5, A.2.1). Bytes. */
const DERIVED_BYTES = 40;
const SCALAR_BYTES = 32;

/** By which push services know who sends (VAPID, RFC 8292). */
export interface PushKey {
  sign: KeyObject;
  /** The public key as browsers subscribe with it: an uncompressed point, base64url. */
  publicKey: string;
}

/** The key that follows from `PUSH_KEY`: the same in every process that has it. */
export function pushKeyOf(secret: string): PushKey {
  const derived = Buffer.from(hkdfSync('sha256', secret, '', 'pillwatch push 1', DERIVED_BYTES));
  const scalar = (BigInt(`0x${derived.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(2 * SCALAR_BYTES, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 1 + SCALAR_BYTES), point.subarray(1 + SCALAR_BYTES)];
  const jwk = { kty: 'EC', crv: 'P-256', d: base64url(d), x: base64url(x), y: base64url(y) };
  return { sign: createPrivateKey({ format: 'jwk', key: jwk }), publicKey: base64url(point) };
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url');
