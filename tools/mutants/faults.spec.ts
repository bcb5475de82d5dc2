import { existsSync, readFileSync } from 'node:fs';
import { FAULTS } from './faults.js';
import { plant } from './plant.js';
import { testCompiler } from './trials.js';

const FAULT = { ...FAULTS[0]!, name: 'of a test', file: 'package.json' };

it('there are at least 40, each with a name of its own', () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

it('each can be planted in the source as it is, and changes what is compiled', async () => {
  const compiler = await testCompiler();
  for (const fault of FAULTS) {
    const wrong = plant(fault, compiler);
    const right = plant({ ...fault, replace: fault.find }, compiler);
    expect({ [fault.name]: wrong.code === right.code }).toEqual({ [fault.name]: false });
  }
});

it('each names scenarios and tests that exist', () => {
  const names = FAULTS.flatMap(({ caughtBy }) => caughtBy);
  expect(names.filter((name) => !exists(name))).toEqual([]);
});

function exists(name: string): boolean {
  const [file, title] = name.split(': ') as [string, string?];
  if (!file.endsWith('.ts')) return existsSync(`test/scenarios/${name}.json`);
  return existsSync(file) && isTitleIn(readFileSync(file, 'utf8'), title ?? '');
}

/** Of a test of several cases a fault names one, by the title that it has when it runs. */
function isTitleIn(source: string, title: string): boolean {
  if (title.includes('%')) return false;
  const ofCases = [...source.matchAll(/['`"](.*%[a-z#].*)['`"]/g)].map(([, text]) => text!);
  const pattern = (text: string): RegExp =>
    new RegExp(
      `^${text
        .split(/%[a-z#]/)
        .map((part) => part.replaceAll(/[^\w ]/g, '.'))
        .join('.*')}$`,
    );
  return source.includes(title) || ofCases.some((text) => pattern(text).test(title));
}

it.each([
  ['0 times', 'a text that is not in it'],
  ['2 times', '"@swc/'],
])('a text that occurs %s is refused', (times, find) => {
  expect(() => plant({ ...FAULT, find }, {})).toThrow(
    `"of a test": its text occurs ${times} in package.json`,
  );
});
