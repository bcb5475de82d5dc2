import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { casesOf, TEST_FILES } from './groups.js';

const IS_GROUP = /\.(e2e|soak)\.ts$/;

it('every file of cases is run by exactly one group', () => {
  const run = TEST_FILES.filter((file) => IS_GROUP.test(file)).flatMap(casesOf);
  expect(run.sort()).toEqual(TEST_FILES.filter((file) => file.endsWith('.cases.ts')).sort());
});

it('a group only imports cases', () => {
  const groups = TEST_FILES.filter((file) => IS_GROUP.test(file) && casesOf(file).length > 0);
  for (const file of groups) {
    const others = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !/^import '\.\/.+\.cases\.js';$/.test(line));
    expect({ file: basename(file), others }).toEqual({ file: basename(file), others: [] });
  }
});
