import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const FILES = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => join('test', file));

const IS_GROUP = /\.(e2e|soak)\.ts$/;

/** The files of cases that a file imports. */
function casesOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^import '\.\/(.+)\.js';$/gm);
  return [...imports].map(([, name]) => join(dirname(file), `${name}.ts`));
}

it('every file of cases is run by exactly one group', () => {
  const run = FILES.filter((file) => IS_GROUP.test(file)).flatMap(casesOf);
  expect(run.sort()).toEqual(FILES.filter((file) => file.endsWith('.cases.ts')).sort());
});

it('a group only imports cases', () => {
  const groups = FILES.filter((file) => IS_GROUP.test(file) && casesOf(file).length > 0);
  for (const file of groups) {
    const others = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !/^import '\.\/.+\.cases\.js';$/.test(line));
    expect({ file: basename(file), others }).toEqual({ file: basename(file), others: [] });
  }
});
