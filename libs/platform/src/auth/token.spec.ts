import { bearerToken, hashToken, newToken, sameSecret } from './token.js';

describe('newToken', () => {
  it.each(['pwb', 'pwk', 'pwg'] as const)('says what it is (%s) and carries 256 random bits', (prefix) => {
    const [kind, secret] = newToken(prefix).split(/_(.*)/);
    expect(kind).toBe(prefix);
    expect(Buffer.from(secret!, 'base64url')).toHaveLength(32);
  });

  it('is never the same', () =>
    expect(new Set(Array.from({ length: 1_000 }, () => newToken('pwb'))).size).toBe(1_000));

  it('passes through a header as it is', () => {
    const token = newToken('pwb');
    expect(bearerToken(`Bearer ${token}`)).toBe(token);
  });
});

it('hashToken is SHA-256 in hex', () =>
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'));

it.each<[string, string, boolean]>([
  ['secret', 'secret', true],
  ['secret', 'Secret', false],
  ['secret', 'secret ', false],
  ['', '', true],
  ['', 'secret', false],
])('sameSecret(%j, %j) is %s', (one, other, same) => expect(sameSecret(one, other)).toBe(same));

describe('bearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['Bearer   abc', 'abc'],
    ['Bearer a.b-c~d+e/f=', 'a.b-c~d+e/f='],
  ])('reads %j', (header, token) => expect(bearerToken(header)).toBe(token));

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'abc',
    'Basic abc',
    'Bearer a b',
    'Bearer {"$gt":""}',
    'Bearer abc\n',
    ' Bearer abc',
    `Bearer ${'a'.repeat(513)}`,
  ])('finds none in %j', (header) => expect(bearerToken(header)).toBeUndefined());
});
