import { totpCode } from '#platform';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows. @param secret base32 */
export function authenticatorCode(secret: string, now: Date): string {
  const bits = [...secret].map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
  return totpCode(Buffer.from(bytes), Math.floor(now.getTime() / 30_000));
}
