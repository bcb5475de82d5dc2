import { base32, newTotpSecret, totpCode, totpStep, totpUri } from './totp.js';

/** RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890');

describe('the codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d s since 1970 it is %s', (seconds, code) => {
    const now = new Date(seconds * 1_000);
    expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code);
    expect(totpStep(SECRET, code, now)).toBe(Math.floor(seconds / 30));
  });

  it('are valid one step earlier and later, and not beyond', () => {
    const at = (seconds: number) => totpStep(SECRET, '005924', new Date(seconds * 1_000));
    const start = 1_234_567_890;
    for (const seconds of [start - 30, start, start + 59]) expect(at(seconds)).toBe(start / 30);
    for (const seconds of [start - 31, start + 60]) expect(at(seconds)).toBeUndefined();
  });

  it('are read from a QR code', () => {
    expect(totpUri(SECRET, 'carol+1@example.org')).toBe(
      'otpauth://totp/Pillwatch:carol%2B1%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pillwatch',
    );
    expect(base32(newTotpSecret())).toMatch(/^[A-Z2-7]{32}$/);
  });
});
