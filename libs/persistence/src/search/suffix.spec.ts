import fc from 'fast-check';
import { entriesOf, entryKey, leadingSuffix, readEntryKey, searchKey, suffixesOf } from './suffix.js';

const found = (part: string, text: string): boolean => {
  const { $gte, $lt } = entriesOf(searchKey(part));
  const bytes = (one: string) => Buffer.from(one);
  return [...suffixesOf([text])]
    .map((suffix) => bytes(entryKey(suffix, 'ref')))
    .some((key) => Buffer.compare(key, bytes($gte)) >= 0 && Buffer.compare(key, bytes($lt)) < 0);
};

describe('the ends of a text', () => {
  it('are all of them, each once, in small letters', () =>
    expect([...suffixesOf(['ABAB'])]).toEqual(['abab', 'bab', 'ab', 'b']));

  it('are cut, never within a character', () => {
    const [first] = suffixesOf(['🐎'.repeat(50)]);
    expect([...first!]).toHaveLength(40);
  });

  it('find every part of the text', () => {
    const unit = fc.constantFrom('a', 'B', 'é', 'É', '🐎', '0', '-', ' ', '.', 'ж');
    const text = fc.string({ unit, minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (text, from, length) => {
        const characters = [...text];
        const start = from % characters.length;
        const part = characters.slice(start, start + 1 + (length % characters.length)).join('');
        return found(part, text) && leadingSuffix(part, [text]) !== undefined;
      }),
    );
  });

  it('do not find what is not there', () => {
    expect(found('abd', 'xxabcxx')).toBe(false);
    expect(leadingSuffix('abd', ['xxabcxx'])).toBeUndefined();
  });

  it('are compared whole when the part is longer than an entry', () => {
    const text = `${'x'.repeat(50)}1`;
    expect(leadingSuffix(`${'x'.repeat(45)}1`, [text])).toBe('x'.repeat(40));
    expect(leadingSuffix(`${'x'.repeat(45)}2`, [text])).toBeUndefined();
  });

  it('have one that leads', () => {
    expect(leadingSuffix('a', ['banana'])).toBe('a');
    expect(leadingSuffix('an', ['banana'])).toBe('ana');
    expect(leadingSuffix('AN', ['xyz', 'Anna'])).toBe('anna');
  });
});

it('an entry says what it leads to', () =>
  expect(readEntryKey(entryKey('cordra', 'A: b'))).toEqual({ suffix: 'cordra', ref: 'A: b' }));
