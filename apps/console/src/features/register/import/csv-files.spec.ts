import { csvCell, templateCsv, tokensCsv } from './csv-files.js';
import { rowsByLine } from './csv-parts.js';

it.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "x" !', '"say ""x"" !"'],
  ['=1+1', "'=1+1"],
])('writes %s', (text, cell) => expect(csvCell(text)).toBe(cell));

it('names person and medication of each token, also after quoted lines', () => {
  const rows = rowsByLine('\uFEFFuser_id;medication;label\n"anna";"Met\nformin; 5";blue\r\n\nbert;Ibu;\n');
  const created = [2, 5].map((line) => ({
    line,
    bottle_id: `b${line}`,
    token: `t${line}`,
    row: rows.get(line),
  }));
  expect(tokensCsv(created)).toBe(
    'line,user_id,medication,label,bottle_id,token\r\n2,anna,"Met\nformin; 5",blue,b2,t2\r\n5,bert,Ibu,,b5,t5\r\n',
  );
});

it.each([
  ['en-US', '\uFEFFuser_id,times\r\nanna,08:00\r\n'],
  ['de-DE', '\uFEFFuser_id;times\r\nanna;08:00\r\n'],
])('has the delimiter of %s', (locale, text) =>
  expect(templateCsv(['user_id', 'times'], [{ user_id: 'anna', times: '08:00' }], locale)).toBe(text),
);
