import { readFile } from 'node:fs/promises';
import { parseScenario } from '../../tools/scenario/file/parse-scenario.js';
import { generateFleet } from '../../tools/scenario/generate/fleet.js';
import { scenarioOf } from '../../tools/scenario/generate/scenario-json.js';
import { ScenarioMongod } from '../../tools/scenario/harness/database.js';
import { runScenario } from '../../tools/scenario/run-scenario.js';

/** What a planted fault names (tools/mutants). */
declare const SCENARIOS: readonly string[];

let mongod: ScenarioMongod;
let isCaught = false;

beforeAll(async () => {
  mongod = await ScenarioMongod.connect(process.env['PILLWATCH_TEST_MONGODB_URI']!);
});
afterAll(() => mongod.stop());

it.each(SCENARIOS)('%s', async (name) => {
  if (isCaught) return;
  const { differences } = await runScenario(parseScenario(await jsonOf(name)), mongod);
  isCaught = differences.length > 0;
  expect(differences).toEqual([]);
});

/** `fleet SEED` is a made-up fleet, as large as those of the soak tests; any other name is that of a file. */
async function jsonOf(name: string): Promise<unknown> {
  const [, seed] = /^fleet (\d+)$/.exec(name) ?? [];
  if (seed !== undefined) return scenarioOf(generateFleet({ seed: Number(seed), bottles: 12, days: 6 }));
  return JSON.parse(await readFile(`test/scenarios/${name}.json`, 'utf8'));
}
