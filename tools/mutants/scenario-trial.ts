import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { PlantedFile } from './plant.js';
import type { TrialResult } from './trial.js';

/** What a child process runs; without a fault, to see that nothing fails without one. */
export interface ScenarioTrial {
  planted?: PlantedFile['compiled'] | undefined;
  mongodbUri: string;
  /** Names, without `.json`. */
  scenarios: readonly string[];
}

/** Milliseconds for one scenario; it takes about one second, a made-up fleet a minute, and with some faults it hangs. */
const SCENARIO_LIMIT = 180_000;

const PROCESS = join(process.cwd(), 'dist/tools/mutants/scenario-process.js');

/** Runs scenarios up to the first that fails, in a process of their own, as modules stay loaded. */
export function tryScenarios(trial: ScenarioTrial): Promise<TrialResult> {
  const timeout = SCENARIO_LIMIT * trial.scenarios.length;
  const child = fork(PROCESS, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], timeout });
  let errors = '';
  child.stderr!.on('data', (text) => (errors += text));
  child.send(trial);
  return new Promise((resolve) => {
    let result: TrialResult | undefined;
    child.once('message', (message) => (result = message as TrialResult));
    child.once('close', (code, signal) =>
      resolve(result ?? { broken: `the process ended with ${signal ?? code}: ${errors.slice(-500)}` }),
    );
  });
}
