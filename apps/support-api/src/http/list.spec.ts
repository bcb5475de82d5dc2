import { cell } from './list.js';

it.each([
  ['=1+1', "'=1+1"],
  ['+49 30 1234', "'+49 30 1234"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
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
