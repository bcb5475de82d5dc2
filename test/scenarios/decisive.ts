import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { casesOf, TEST_FILES } from '../docs/groups.js';
import { readRules, type Test } from '../docs/rules.js';
import { LONG_SCENARIOS } from './cli.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json') && !LONG_SCENARIOS.includes(file));

/** The cases that `npm test` runs. */
const SHORT_CASES = new Set(TEST_FILES.filter((file) => file.endsWith('.e2e.ts')).flatMap(casesOf));

/** Whether `npm test` runs this test whole: of one in both, it runs little. */
const isShort = ({ file }: Test): boolean =>
  (/\.(?:spec|e2e)\.ts$/.test(file) && !file.includes('soak')) || SHORT_CASES.has(file);

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
