import { readFile } from 'node:fs/promises';
import { parseScenario } from '../scenario/file/parse-scenario.js';
import { generateFleet } from '../scenario/generate/fleet.js';
import { scenarioOf } from '../scenario/generate/scenario-json.js';
import { ScenarioMongod } from '../scenario/harness/database.js';
import { runScenario } from '../scenario/run-scenario.js';
import type { TrialResult } from './trial.js';

/** Runs scenarios, one after the other, up to the first that fails. */
export async function runUntilFailure(
  scenarios: readonly string[],
  mongodbUri: string,
): Promise<TrialResult> {
  const mongod = await ScenarioMongod.connect(mongodbUri);
  try {
    for (const name of scenarios) {
      const { differences } = await runScenario(parseScenario(await jsonOf(name)), mongod);
      if (differences.length > 0) return { caughtBy: name };
    }
    return {};
  } finally {
    await mongod.stop();
  }
}

/** `fleet SEED` is a made-up fleet, as large as those of the soak tests; any other name is that of a file. */
async function jsonOf(name: string): Promise<unknown> {
  const [, seed] = /^fleet (\d+)$/.exec(name) ?? [];
  if (seed !== undefined) return scenarioOf(generateFleet({ seed: Number(seed), bottles: 12, days: 6 }));
  return JSON.parse(await readFile(`test/scenarios/${name}.json`, 'utf8'));
}
