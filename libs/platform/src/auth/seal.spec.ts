import { seal, unseal } from './seal.js';

const [KEY, OTHER] = ['k'.repeat(32), 'o'.repeat(32)];
const CONTENT = Buffer.from('a secret of an authenticator app');

it('opens with the same key, for the same owner, and unchanged', () => {
  const sealed = seal(KEY, 'carol', CONTENT);
  expect(unseal(KEY, 'carol', sealed)).toEqual(CONTENT);
  expect(sealed).not.toContain(CONTENT.toString('base64url'));
  expect(seal(KEY, 'carol', CONTENT)).not.toBe(sealed);
  expect(unseal(OTHER, 'carol', sealed)).toBeUndefined();
  expect(unseal(KEY, 'dave', sealed)).toBeUndefined();
  const changed = Buffer.from(sealed, 'base64url');
  changed[changed.length - 1]! ^= 1;
  expect(unseal(KEY, 'carol', changed.toString('base64url'))).toBeUndefined();
  expect(unseal(KEY, 'carol', '')).toBeUndefined();
});
