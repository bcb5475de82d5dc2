/**
 * Writes the version of package.json where else it stands: package-lock.json, the Helm chart. `--check` fails if one
 * differs, if CHANGELOG.md does not begin with "Unreleased" and that version, or if one of its releases has more lines
 * than anybody reads.
 */
import { readFileSync } from 'node:fs';
import { writeOrCheck } from './from-code.mjs';

const MAX_LINES = 60;

const read = (/** @type {string} */ file) => readFileSync(file, 'utf8');
const { version } = JSON.parse(read('package.json'));

/** Once in each part: npm has it in the root and in the package of no path. */
const LOCK = 'package-lock.json';
const lock = JSON.parse(read(LOCK));
lock.version = version;
lock.packages[''].version = version;
writeOrCheck(LOCK, `${JSON.stringify(lock, null, 2)}\n`);

const CHART = 'ops/helm/Chart.yaml';
writeOrCheck(CHART, read(CHART).replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));

const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
const [first = '', second = ''] = sections.map((each) => each.split(/\s/, 1)[0]);
if (first !== 'Unreleased' || second !== version)
  fail(`begins with ${first}, ${second}, not Unreleased, ${version}`);
for (const section of sections) {
  const lines = section.trimEnd().split('\n').length;
  if (lines > MAX_LINES)
    fail(`${section.split('\n', 1)[0]}: ${lines} lines, at most ${MAX_LINES} can be read`);
}

/** @param {string} reason */
function fail(reason) {
  console.error(`CHANGELOG.md: ${reason}`);
  process.exitCode = 1;
}
