import { readFile } from 'node:fs/promises';
import { parseScenario } from '../scenario/file/parse-scenario.js';
import { generateFleet } from '../scenario/generate/fleet.js';
import { scenarioOf } from '../scenario/generate/scenario-json.js';
import { ScenarioMongod } from '../scenario/harness/database.js';
import { runScenario } from '../scenario/run-scenario.js';
import type { ScenarioSource, TrialResult } from './trial.js';

/** Runs scenarios, one after the other, up to the first that fails. */
export async function runUntilFailure(
  sources: readonly ScenarioSource[],
  mongodbUri: string,
): Promise<TrialResult> {
  const mongod = await ScenarioMongod.connect(mongodbUri);
  try {
    for (const source of sources) {
      const { differences } = await runScenario(parseScenario(await jsonOf(source)), mongod);
      if (differences.length > 0) return { caughtBy: nameOf(source), how: differences[0]! };
    }
    return {};
  } finally {
    await mongod.stop();
  }
}

async function jsonOf(source: ScenarioSource): Promise<unknown> {
  if ('fleet' in source) return scenarioOf(generateFleet(source.fleet));
  return JSON.parse(await readFile(`test/scenarios/${source.scenario}.json`, 'utf8')) as unknown;
}

function nameOf(source: ScenarioSource): string {
  return 'fleet' in source ? `generated fleet, seed ${source.fleet.seed}` : source.scenario;
}
