import { generatePassword, hashPassword, passwordProblem, verifyPassword } from './password.js';

describe('a password', () => {
  it.each([
    ['short', 'at least 12 characters'],
    ['x'.repeat(129), 'at most 128 characters'],
    ['ababababababab', 'different characters'],
    ['Password-1970-x', 'password'],
    ['carol.smith-2026', 'the name in the e-mail'],
  ])('%j is refused', (password, why) =>
    expect(passwordProblem(password, 'carol.smith@example.org')).toContain(why),
  );

  it.each(['correct horse battery', 'пароль из семи слов', '🐎🔋📎🐎🔋📎🦄🌍🌒🎷🎺🥁'])(
    '%j is taken',
    (password) => expect(passwordProblem(password, 'carol@example.org')).toBeUndefined(),
  );

  it('is verified against its hash, which is salted argon2id', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword(one, 'correct horse')).toBe(true);
    expect(await verifyPassword(one, 'Correct horse')).toBe(false);
  });

  it('is the same however the keyboard composes its letters', async () => {
    expect(
      await verifyPassword(await hashPassword('crème brûlée 77'), 'crème brûlée 77'.normalize('NFD')),
    ).toBe(true);
  });

  it('that we make is good and never the same', () => {
    const made = Array.from({ length: 100 }, generatePassword);
    expect(new Set(made).size).toBe(100);
    for (const password of made) {
      expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
      expect(passwordProblem(password, 'admin@localhost')).toBeUndefined();
    }
  });
});
