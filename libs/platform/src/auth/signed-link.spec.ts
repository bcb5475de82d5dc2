import { type LinkClaim, readLink, signLink } from './signed-link.js';

const CLAIM: LinkClaim = {
  purpose: 'acknowledge',
  alert_id: 'a'.repeat(24),
  recipient: 'user:willcross1024',
  expires_at: new Date('2026-03-01T08:00:00Z'),
};

describe('a link in a message', () => {
  it('says what was signed', () => {
    expect(readLink('secret', signLink('secret', CLAIM))).toEqual(CLAIM);
  });

  it('is refused when it was signed with another secret, changed, or made up', () => {
    const token = signLink('secret', CLAIM);
    const other = signLink('secret', { ...CLAIM, alert_id: 'b'.repeat(24) });
    expect(readLink('another', token)).toBeUndefined();
    expect(readLink('secret', `${other.split('.')[0]}.${token.split('.')[1]}`)).toBeUndefined();
    expect(readLink('secret', 'nonsense')).toBeUndefined();
    expect(readLink('secret', '')).toBeUndefined();
  });
});
