import { cell, withoutEscape } from './list.js';

it.each([
  ['=1+1', "'=1+1"],
  ['+49 30 1234', "'+49 30 1234"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t'=1"`],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
  ['a;=1+1', `"a;'=1+1"`],
  ['a; "=1+1', `"a;' ""=1+1"`],
  ['a\tb\n@SUM(A1)', `"a\tb\n'@SUM(A1)"`],
  [' =1', "' =1"],
  ['a; b', '"a; b"'],
  [{ note: 'x;=1' }, `"{""note"":""x;'=1""}"`],
  [-61, '-61'],
  [0, '0'],
  [false, 'false'],
  [null, ''],
  [undefined, ''],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  ['say "hi", twice', '"say ""hi"", twice"'],
  ['two\nlines', '"two\nlines"'],
  [' a ', '" a "'],
  [{ fields: ['a'] }, '"{""fields"":[""a""]}"'],
])('%j is written as %s', (value, text) => expect(cell(value)).toBe(text));

it.each(['=1+1', "'=1+1", "''-2", 'a;=b', "O'Neil", "'quoted'"])(
  'the import reads %s as it was before an export wrote it',
  (text) => expect(withoutEscape(cell(text).replace(/^"|"$/g, ''))).toBe(text),
);
