import { loadConfig } from '#platform';
import { readFile } from 'node:fs/promises';
import { StandaloneConfig } from '../config.js';
import { parseScenario } from './file/parse-scenario.js';
import { runScenario } from './run-scenario.js';
import { ScenarioMongod } from './world/database.js';

const USAGE = 'npm run scenario -- FILE...   (--verbose before the files shows every message)';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the files one after the other. @returns how many of them disagree with their truth. */
async function run(files: string[], verbose: boolean): Promise<number> {
  const mongod = await ScenarioMongod.start(loadConfig(StandaloneConfig).MONGOD_BINARY);
  let failed = 0;
  try {
    for (const file of files) failed += (await runFile(file, mongod, verbose)) ? 0 : 1;
  } finally {
    await mongod.stop();
  }
  return failed;
}

async function runFile(file: string, mongod: ScenarioMongod, verbose: boolean): Promise<boolean> {
  const began = performance.now();
  try {
    const scenario = parseScenario(JSON.parse(await readFile(file, 'utf8')));
    const { differences, notes, messages } = await runScenario(scenario, mongod);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(`${differences.length === 0 ? 'ok  ' : 'FAIL'} ${scenario.name} (${file}, ${seconds} s)`);
    for (const difference of differences) say(`  - ${difference}`);
    for (const note of notes) say(`  note: refused: ${note}`);
    if (verbose) for (const message of messages) say(`    ${message}`);
    return differences.length === 0;
  } catch (error) {
    say(`FAIL ${file}\n  - ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

const args = process.argv.slice(2);
const files = args.filter((arg) => arg !== '--verbose');
if (files.length === 0) {
  say(USAGE);
  process.exit(2);
}
const failed = await run(files, args.includes('--verbose'));
say(failed === 0 ? `all ${files.length} agree` : `${failed} of ${files.length} disagree`);
process.exit(failed === 0 ? 0 : 1);
