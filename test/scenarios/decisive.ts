import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRules, type Test } from '../docs/rules.js';
import { LONG_SCENARIOS } from './cli.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json') && !LONG_SCENARIOS.includes(file));

/** The cases that the `*.e2e.ts` file beside them imports. */
function casesOf(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.e2e.ts'));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  return [...text.matchAll(/'\.\/([\w-]+\.cases)\.js'/g)].map(([, name]) => join(folder, `${name}.ts`));
}

/** Whether `npm test` runs this test. */
const isShort = ({ file }: Test): boolean =>
  (/\.(?:spec|e2e)\.ts$/.test(file) && !file.includes('soak')) || casesOf(dirname(file)).includes(file);

const DECIDE = new Set(
  readRules()
    .filter(({ tests }) => !tests.some(isShort))
    .flatMap(({ scenarios }) => scenarios.slice(0, 1).map((name) => `${name}.json`)),
);

/**
 * What `npm test` runs: of each rule in docs/semantics.md that none of its tests proves, the scenario that it names
 * first.
 */
export const DECISIVE = FILES.filter((file) => DECIDE.has(file));

/** All others, which `npm run test:soak` runs. */
export const OTHERS = FILES.filter((file) => !DECIDE.has(file));
