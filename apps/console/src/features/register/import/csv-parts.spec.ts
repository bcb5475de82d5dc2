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

  it('without a part of empty lines, and one part if there is nothing', () => {
    expect(cutCsv(`${HEAD}a,x,UTC\n\n,,\n`, 1)).toHaveLength(1);
    expect(cutCsv('')).toMatchObject([{ csv: '', bottles: 0 }]);
    expect(cutCsv(HEAD)).toMatchObject([{ csv: HEAD, bottles: 0 }]);
  });
});
