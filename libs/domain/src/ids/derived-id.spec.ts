import { derivedId, derivedIdAt, derivedMessageId } from './derived-id.js';

describe('derivedId', () => {
  it('is an ObjectId in hex, the same for the same parts', () => {
    expect(derivedId('a', 'b')).toMatch(/^[0-9a-f]{24}$/);
    expect(derivedId('a', 'b')).toBe(derivedId('a', 'b'));
  });

  it('is the same in every version: what is in the log is found again', () => {
    expect(derivedId('event', '0123456789abcdef01234567', 'e-1')).toBe('056187dc56d207bb027c8761');
  });

  it.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [['a', 'b'], ['ab']],
    [['a'], ['a', '']],
    [['1:a'], ['1', 'a']],
    [['é'], ['e']],
  ])('tells %j from %j', (one, other) => expect(derivedId(...one)).not.toBe(derivedId(...other)));
});

it('derivedMessageId has 128 bits, of which derivedId shows the first', () => {
  expect(derivedMessageId('a', 'b')).toMatch(/^[0-9a-f]{32}$/);
  expect(derivedMessageId('a', 'b').slice(0, 24)).toBe(derivedId('a', 'b'));
});

describe('derivedIdAt', () => {
  const secondsOf = (id: string): number => Number.parseInt(id.slice(0, 8), 16);

  it('begins with the second, as ObjectIds do', () => {
    const at = new Date('2026-03-02T08:00:00.999Z');
    expect(derivedIdAt(at, 'x')).toMatch(/^[0-9a-f]{24}$/);
    expect(secondsOf(derivedIdAt(at, 'x'))).toBe(Date.parse('2026-03-02T08:00:00Z') / 1000);
  });

  it('differs by what it names within one second', () => {
    const at = new Date('2026-03-02T08:00:00Z');
    expect(derivedIdAt(at, 'x')).not.toBe(derivedIdAt(at, 'y'));
  });

  it.each([
    '1970-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '2106-02-07T06:28:16Z',
    '9999-12-31T23:59:59Z',
  ])('can name %s, a moment that an ObjectId cannot hold or hardly', (at) =>
    expect(derivedIdAt(new Date(at), 'x')).toMatch(/^[0-9a-f]{24}$/),
  );
});
