import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRules } from '../docs/rules.js';
import { LONG_SCENARIOS } from './cli.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json') && !LONG_SCENARIOS.includes(file));
const FIRST_NAMED = new Set(
  readRules().flatMap(({ scenarios }) => scenarios.slice(0, 1).map((name) => `${name}.json`)),
);

/** Of each rule in docs/semantics.md, the scenario that it names first: `npm test` runs these. */
export const DECISIVE = FILES.filter((file) => FIRST_NAMED.has(file));

/** All others, which `npm run test:soak` runs. */
export const OTHERS = FILES.filter((file) => !FIRST_NAMED.has(file));
