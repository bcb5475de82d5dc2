/**
 * Everything that must hold, in the order in which it fails fastest: formatting, lint, types, unit tests,
 * end-to-end tests, and what these asked of the database. The last line is `N passed, N failed`; a check counts as one.
 *
 * `--unit` runs the unit tests only. The Node that runs this script runs the tests.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const unitOnly = process.argv.includes('--unit');
const results = mkdtempSync(join(tmpdir(), 'pillwatch-results-'));
const commands = join(results, 'commands');
mkdirSync(commands);
let passed = 0;
let failed = 0;

/** @param {string[]} args a script of node_modules and its arguments */
function node(args) {
  const env = {
    ...process.env,
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
    PILLWATCH_TEST_COMMANDS: commands,
  };
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status === 0;
}

/** @param {string} name @param {string[]} args */
function check(name, args) {
  console.log(`\n> ${name}`);
  if (node(args)) passed += 1;
  else failed += 1;
}

/** @param {'unit' | 'e2e' | 'after'} project */
function jest(project) {
  console.log(`\n> ${project} tests`);
  const file = join(results, `${project}.json`);
  const ok = node([
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    project,
    '--json',
    `--outputFile=${file}`,
  ]);
  try {
    const counts = JSON.parse(readFileSync(file, 'utf8'));
    passed += counts.numPassedTests;
    failed += counts.numFailedTests + counts.numRuntimeErrorTestSuites;
    if (!ok && counts.numFailedTests + counts.numRuntimeErrorTestSuites === 0) failed += 1;
  } catch {
    failed += 1;
  }
}

if (!unitOnly) {
  check('formatting', ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.']);
  check('lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']);
  check('types', ['node_modules/typescript/bin/tsc', '--noEmit']);
  check("the console's types", ['node_modules/typescript/bin/tsc', '-p', 'apps/console']);
}
jest('unit');
if (!unitOnly) {
  jest('e2e');
  jest('after');
}

rmSync(results, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
