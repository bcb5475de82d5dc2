import { loadConfig } from '#platform';
import { readFile } from 'node:fs/promises';
import { StandaloneConfig } from '../config.js';
import { parseScenario } from './file/parse-scenario.js';
import { runScenario } from './run-scenario.js';
import { printJson, printText, type FileResult } from './truth/report.js';
import { ScenarioMongod } from './world/database.js';

const USAGE = `npm run scenario -- [--verbose] [--json] FILE...
  --verbose  shows every message
  --json     one line of JSON a file, for programs`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function runFile(file: string, mongod: ScenarioMongod): Promise<FileResult> {
  const began = performance.now();
  const took = (): number => (performance.now() - began) / 1000;
  try {
    const scenario = parseScenario(JSON.parse(await readFile(file, 'utf8')));
    const result = await runScenario(scenario, mongod);
    return { file, name: scenario.name, seconds: took(), ...result };
  } catch (error) {
    const differences = [error instanceof Error ? error.message : String(error)];
    return { file, name: 'did not run', seconds: took(), differences, notes: [], messages: [] };
  }
}

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));
const options = args.filter((arg) => arg.startsWith('--'));
if (files.length === 0 || options.some((option) => !['--verbose', '--json'].includes(option))) {
  say(USAGE);
  process.exit(2);
}
const print = options.includes('--json') ? printJson : printText(options.includes('--verbose'));
const mongod = await ScenarioMongod.start(loadConfig(StandaloneConfig).MONGOD_BINARY);
let failed = 0;
try {
  for (const file of files) {
    const result = await runFile(file, mongod);
    if (result.differences.length > 0) failed += 1;
    print(result, say);
  }
} finally {
  await mongod.stop();
}
if (!options.includes('--json')) {
  say(failed === 0 ? `all ${files.length} agree` : `${failed} of ${files.length} disagree`);
}
process.exit(failed === 0 ? 0 : 1);
