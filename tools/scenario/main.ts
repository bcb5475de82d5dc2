import { loadConfig } from '#platform';
import { readFile } from 'node:fs/promises';
import { StandaloneConfig } from '../../apps/standalone/src/config.js';
import { parseScenario } from './file/parse-scenario.js';
import { generateFleet } from './generate/fleet.js';
import { nameOfOutage, outageScenario, outagesOf } from './generate/outage.js';
import { scenarioOf } from './generate/scenario-json.js';
import { readOptions, type RunOptions, USAGE } from './options.js';
import { runScenario } from './run-scenario.js';
import { printJson, printText, type RunResult, summaryOf } from './truth/report.js';
import { ScenarioMongod } from './run/database.js';

/** One scenario to run: where it comes from, and its JSON. */
interface Source {
  file: string;
  read: () => unknown;
}

function sourcesOf({ files, seeds, outages, bottles, days, only }: RunOptions): Source[] {
  return [
    ...files.map((file) => ({ file, read: async () => JSON.parse(await readFile(file, 'utf8')) as unknown })),
    ...seeds.map((seed) => ({
      file: `--generate ${seed}`,
      read: () => scenarioOf(generateFleet({ seed, bottles, days }), only),
    })),
    ...outages.flatMap(outagesOf).map((outage) => ({
      file: nameOfOutage(outage),
      read: () => outageScenario(outage),
    })),
  ];
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function run({ file, read }: Source, mongod: ScenarioMongod): Promise<RunResult> {
  const began = performance.now();
  const took = (): number => (performance.now() - began) / 1000;
  try {
    const scenario = parseScenario(await read());
    const result = await runScenario(scenario, mongod);
    return { file, name: scenario.name, seconds: took(), ...result };
  } catch (error) {
    const differences = [error instanceof Error ? error.message : String(error)];
    return { file, name: 'did not run', seconds: took(), differences, notes: [], messages: [] };
  }
}

const options = readOptions(process.argv.slice(2));
if (!options) {
  say(USAGE);
  process.exit(2);
}
const sources = sourcesOf(options);
const print = options.json ? printJson : printText(options.verbose);
const mongod = await ScenarioMongod.start(loadConfig(StandaloneConfig).MONGOD_BINARY);
const results: RunResult[] = [];
try {
  for (const source of sources) {
    const result = await run(source, mongod);
    results.push(result);
    print(result, say);
  }
} finally {
  await mongod.stop();
}
if (!options.json) say(summaryOf(results));
process.exit(results.every(({ differences }) => differences.length === 0) ? 0 : 1);
