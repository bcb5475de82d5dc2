/**
 * Runs everything that must hold, in the order in which it fails fastest: formatting, lint and types, unit tests,
 * end-to-end tests, and what these asked of the database. The last line is `N passed, N failed`.
 *
 * `--unit` runs the unit tests only, `--soak` the long tests and the planted faults only,
 * `--monitoring` what Prometheus and Alertmanager notice. The Node that runs this
 * script runs the tests.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const results = mkdtempSync(join(tmpdir(), 'pillwatch-results-'));
const commands = join(results, 'commands');
mkdirSync(commands);
let passed = 0;
let failed = 0;

/** @param {string[]} args a script and its arguments @param {Record<string, string>} env @returns {boolean} */
function node(args, env = {}) {
  return (
    spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
  );
}

/** Formatting, lint and types count as one. */
function check() {
  console.log('\n> check');
  if (node(['scripts/check.mjs'])) passed += 1;
  else failed += 1;
}

/** @param {'unit' | 'e2e' | 'after' | 'soak' | 'monitoring'} project @param {string[]} options */
function jest(project, ...options) {
  console.log(`\n> ${project} tests`);
  const file = join(results, `${project}.json`);
  const ok = node(
    [
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      project,
      '--json',
      `--outputFile=${file}`,
      '--reporters=<rootDir>/test/support/quiet-reporter.mjs',
      ...options,
    ],
    { PILLWATCH_TEST_COMMANDS: commands, PILLWATCH_TEST_QUIET: '1' },
  );
  try {
    const counts = JSON.parse(readFileSync(file, 'utf8'));
    passed += counts.numPassedTests;
    failed += counts.numFailedTests + counts.numRuntimeErrorTestSuites;
    if (!ok && counts.numFailedTests + counts.numRuntimeErrorTestSuites === 0) failed += 1;
  } catch {
    failed += 1;
  }
}

/**
 * All faults count as one: their table says which was not caught. Every commit tries another eighth of them, as all take
 * longer than the rest of the long tests: `npm run test:mutants` tries all.
 *
 * @param {boolean} hasPassed whether what they name need not run first without a fault
 */
function mutants(hasPassed) {
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' });
  const share = `${((Number.parseInt(stdout, 10) || 0) % 8) + 1}/8`;
  console.log(`\n> planted faults, ${share}`);
  if (node(['dist/tools/mutants/main.js', '--share', share, ...(hasPassed ? ['--passed'] : [])])) passed += 1;
  else failed += 1;
}

/** What the browser tests need and is not there yet. */
function bringChromium() {
  if (!node(['dist/tools/browser/bring-chromium.js'])) failed += 1;
}

if (process.argv.includes('--unit')) {
  jest('unit');
} else if (process.argv.includes('--soak')) {
  bringChromium();
  jest('soak');
  mutants(failed === 0);
} else if (process.argv.includes('--monitoring')) {
  jest('monitoring');
} else {
  check();
  jest('unit');
  bringChromium();
  jest('e2e');
  jest('after');
}

rmSync(results, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
