import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from './token.js';

const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret for an authenticator app: 160 bits, as RFC 4226 recommends. */
export function newTotpSecret(): Buffer {
  return randomBytes(20);
}

/**
 * The time step to which a code belongs (RFC 6238: SHA-1, 6 digits, 30 seconds). The steps before and after the
 * present one count, too, for clocks that are a little off.
 *
 * @param code six digits
 * @returns undefined if the code is wrong. The caller accepts each step only once.
 */
export function totpStep(secret: Buffer, code: string, now: Date): number | undefined {
  const step = Math.floor(now.getTime() / STEP_MS);
  return [step, step - 1, step + 1].find((one) => sameSecret(totpCode(secret, one), code));
}

/** The code of a time step. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** What an authenticator app reads from a QR code. @param account the name that the app shows */
export function totpUri(secret: Buffer, account: string): string {
  return `otpauth://totp/Pillwatch:${encodeURIComponent(account)}?secret=${base32(secret)}&issuer=Pillwatch`;
}

/** RFC 4648, without padding: as a person types it into an authenticator app. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}
