import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseScenario } from '../../tools/scenario/file/parse-scenario.js';
import { generateFleet } from '../../tools/scenario/generate/fleet.js';
import { scenarioOf } from '../../tools/scenario/generate/scenario-json.js';
import { ScenarioMongod } from '../../tools/scenario/run/database.js';
import { runScenario } from '../../tools/scenario/run-scenario.js';

/** What a planted fault names (tools/mutants). */
declare const SCENARIOS: readonly string[];

/** One takes about a second, a day of failures 20, a made-up fleet a minute; a slow machine needs much longer. Milliseconds. */
const LIMIT_MS = 900_000;

let mongod: ScenarioMongod;
let isCaught = false;
let problem: unknown;

beforeAll(async () => {
  mongod = await ScenarioMongod.connect(process.env['PILLWATCH_TEST_MONGODB_URI']!);
});
afterAll(async () => {
  await mongod.stop();
  // a fault that lets no scenario run to its end proves nothing: the trial is broken
  if (problem !== undefined) throw problem;
});

it.each(SCENARIOS)('%s', async (name) => {
  if (isCaught || problem !== undefined) return;
  const differences = await differencesIn(name).catch((error: unknown) => {
    problem = error;
    return [];
  });
  isCaught = differences.length > 0;
  expect(differences).toEqual([]);
});

async function differencesIn(name: string): Promise<string[]> {
  const scenario = parseScenario(await jsonOf(name));
  const tooLong = sleep(LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${name} does not end`);
  });
  const { differences } = await Promise.race([runScenario(scenario, mongod), tooLong]);
  return differences;
}

/** `fleet SEED` is a made-up fleet, as large as those of the soak tests; any other name is that of a file. */
async function jsonOf(name: string): Promise<unknown> {
  const [, seed] = /^fleet (\d+)$/.exec(name) ?? [];
  if (seed !== undefined) return scenarioOf(generateFleet({ seed: Number(seed), bottles: 12, days: 6 }));
  return JSON.parse(await readFile(`test/scenarios/${name}.json`, 'utf8'));
}
