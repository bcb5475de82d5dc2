import { readLink, signLink } from './signed-link.js';

const CLAIM = { id: 'a'.repeat(32), expires_at: new Date('2026-03-01T08:00:00Z') };
const ADDRESS = 'will@example.test';

describe('a link in a message', () => {
  const token = signLink('secret', CLAIM, ADDRESS);

  it('says what was signed, and to which address it was sent', () => {
    const link = readLink('secret', token);
    expect(link).toMatchObject(CLAIM);
    expect(link?.wasSentTo(ADDRESS)).toBe(true);
    expect(link?.wasSentTo('another@example.test')).toBe(false);
  });

  it('says that it only stops messages, and nobody can change that', () => {
    const stops = signLink('secret', { ...CLAIM, onlyStops: true }, ADDRESS);
    expect(readLink('secret', stops)).toMatchObject({ ...CLAIM, onlyStops: true });
    expect(readLink('secret', token)).not.toHaveProperty('onlyStops');
    expect(readLink('secret', [token.split('.')[0], ...stops.split('.').slice(1)].join('.'))).toBeUndefined();
  });

  it('shows nobody the address', () => {
    const readable = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect([token, ...readable].join(' ')).not.toContain('will');
  });

  it('is refused when it was signed with another secret, changed, or made up', () => {
    const other = signLink('secret', { ...CLAIM, id: 'b'.repeat(32) }, ADDRESS);
    expect(readLink('another', token)).toBeUndefined();
    expect(readLink('secret', [other.split('.')[0], ...token.split('.').slice(1)].join('.'))).toBeUndefined();
    expect(readLink('secret', 'nonsense')).toBeUndefined();
    expect(readLink('secret', '')).toBeUndefined();
    // nothing may follow: a page repeats the token
    for (const more of ['.', '.x', '."><h2>', '=', ' '])
      expect(readLink('secret', `${token}${more}`)).toBeUndefined();
  });

  it('goes on working while its secret is being replaced, and not after', () => {
    expect(readLink('new secret', token)?.wasSentTo(ADDRESS)).toBe(true);
    expect(readLink('new', token)).toBeUndefined();
    expect(readLink('new', signLink('new secret', CLAIM, ADDRESS))).toMatchObject(CLAIM);
  });
});
