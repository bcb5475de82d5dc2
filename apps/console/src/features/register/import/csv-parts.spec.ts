import { cutCsv, lineInFile } from './csv-parts.js';

describe('a file is cut into parts', () => {
  const HEAD = 'user_id,medication,time_zone\n';

  it('with the header in each, and the lines as they were', () => {
    const parts = cutCsv(`${HEAD}a,x,UTC\n\nb,x,UTC\nc,x,UTC\n`, 2);
    expect(parts.map(({ csv }) => csv)).toEqual([`${HEAD}a,x,UTC\n\nb,x,UTC\n`, `${HEAD}c,x,UTC\n`]);
    expect(parts.map(({ bottles, firstLine, lastLine }) => [bottles, firstLine, lastLine])).toEqual([
      [2, 2, 4],
      [1, 5, 5],
    ]);
    expect(lineInFile(parts[1]!, 2)).toBe(5);
    expect(lineInFile(parts[1]!, 1)).toBe(1);
  });

  it('never within a quoted field', () => {
    const record = 'a,"x ""1""\nmg",UTC\n';
    const parts = cutCsv(`${HEAD}${record}${record}b,x,UTC`, 1);
    expect(parts.map(({ csv }) => csv)).toEqual([HEAD + record, HEAD + record, `${HEAD}b,x,UTC`]);
    expect(parts.map(({ firstLine }) => firstLine)).toEqual([2, 4, 6]);
  });

  it('never between the steps of a bottle', () => {
    const head = 'user_id;step;medication;time_zone\n';
    const [a, b] = ['a;1;x;UTC\n;"2";;\na;3;;\n', 'b;;"x;2";UTC\n'];
    const parts = cutCsv(head + a + b + b, 2);
    expect(parts.map(({ csv }) => csv)).toEqual([head + a, head + b + b]);
    expect(parts.map(({ bottles, firstLine }) => [bottles, firstLine])).toEqual([
      [1, 2],
      [2, 5],
    ]);
  });

  it('without a part of empty lines, and one part if there is nothing', () => {
    expect(cutCsv(`${HEAD}a,x,UTC\n\n,,\n`, 1)).toHaveLength(1);
    expect(cutCsv('')).toMatchObject([{ csv: '', bottles: 0 }]);
    expect(cutCsv(HEAD)).toMatchObject([{ csv: HEAD, bottles: 0 }]);
  });
});
