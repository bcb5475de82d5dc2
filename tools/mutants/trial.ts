import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { PlantedFile } from './plant.js';

/** A scenario in `test/scenarios`, or a fleet to make up. */
export type ScenarioSource =
  { scenario: string } | { fleet: { seed: number; bottles: number; days: number } };

/** What a child process runs; without a fault, to see that nothing fails without one. */
export interface ScenarioTrial {
  planted?: PlantedFile['compiled'] | undefined;
  mongodbUri: string;
  sources: readonly ScenarioSource[];
}

/** What failed first, and how; neither if nothing did. `broken`: the trial itself did not run, which proves nothing. */
export interface TrialResult {
  caughtBy?: string;
  how?: string;
  broken?: string;
}

/** Milliseconds; a scenario takes about a second, and all of them about three minutes. */
export const TRIAL_LIMIT = 600_000;

const PROCESS = join(process.cwd(), 'dist/tools/mutants/scenario-process.js');

/** Runs scenarios in a process of their own, as modules stay loaded. */
export function tryScenarios(trial: ScenarioTrial): Promise<TrialResult> {
  const child = fork(PROCESS, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], timeout: TRIAL_LIMIT });
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
