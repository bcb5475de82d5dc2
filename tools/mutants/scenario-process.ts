import { register } from 'node:module';
import type { ScenarioTrial } from './scenario-trial.js';
import type { TrialResult } from './trial.js';

/**
 * The child process of a trial: loads the services with the fault in them and runs scenarios until one fails. The
 * modules are loaded after the hook is in place, so none of them may be imported above.
 */
process.once('message', (trial: ScenarioTrial) => {
  void run(trial).then((result) => process.send!(result, () => process.exit(0)));
});

async function run({ planted, mongodbUri, scenarios }: ScenarioTrial): Promise<TrialResult> {
  if (planted) register('./load-hook.js', import.meta.url, { data: planted });
  try {
    const { runUntilFailure } = await import('./run-until-failure.js');
    return await runUntilFailure(scenarios, mongodbUri);
  } catch (error) {
    return { broken: String(error) };
  }
}
