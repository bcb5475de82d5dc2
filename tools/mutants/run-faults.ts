import { availableParallelism } from 'node:os';
import { ScenarioMongod } from '../scenario/harness/database.js';
import type { Fault } from './fault.js';
import { plant } from './plant.js';
import { tryScenarios } from './scenario-trial.js';
import { testCompiler, type TestTrial, tryTests } from './test-trials.js';
import { type Planted, proofsOf, type TrialResult } from './trial.js';

/** What became of a fault. It survived if nothing that it names caught it. */
export interface FaultResult extends TrialResult {
  name: string;
}

/**
 * Plants each fault and runs what it names: its scenarios, each fault in a process of its own, and then, unless one of
 * them failed, its tests, those of all faults in one Jest.
 *
 * @param onResult called as each fault is done
 * @throws before the first trial if a fault cannot be planted, or if a scenario that is named fails without a fault
 */
export async function runFaults(
  faults: readonly Fault[],
  onResult: (result: FaultResult) => void,
): Promise<void> {
  const compiler = await testCompiler();
  const planted = faults.map((fault) => ({ ...fault, file: plant(fault, compiler) }));
  const mongod = await ScenarioMongod.start(process.env['MONGOD_BINARY']);
  try {
    await checkScenarios(faults, mongod.uri);
    const left: (Planted & Pick<Fault, 'caughtBy'>)[] = [];
    await inParallel(planted, async (fault) => {
      const scenarios = proofsOf(fault, 'scenarios');
      const result =
        scenarios.length === 0
          ? {}
          : await tryScenarios({ planted: fault.file.compiled, mongodbUri: mongod.uri, scenarios });
      if (Object.keys(result).length === 0 && proofsOf(fault, 'tests').length > 0) left.push(fault);
      else onResult({ name: fault.name, ...result });
    });
    await tryFaultsByTests(left, mongod.uri, onResult);
  } finally {
    await mongod.stop();
  }
}

/** The scenarios that the faults name, without a fault. */
async function checkScenarios(faults: readonly Fault[], mongodbUri: string): Promise<void> {
  const names = [...new Set(faults.flatMap((fault) => proofsOf(fault, 'scenarios')))];
  const shares = Array.from({ length: availableParallelism() }, (_, share) =>
    names.filter((_name, place) => place % availableParallelism() === share),
  );
  await inParallel(shares, async (scenarios) => {
    if (scenarios.length > 0) throwUnlessPassed(await tryScenarios({ mongodbUri, scenarios }));
  });
}

/** The tests that the faults name, with each fault, and without one. */
async function tryFaultsByTests(
  faults: readonly (Planted & Pick<Fault, 'caughtBy'>)[],
  mongodbUri: string,
  onResult: (result: FaultResult) => void,
): Promise<void> {
  const right = testTrials(faults.flatMap((fault) => proofsOf(fault, 'tests')));
  const trials = faults.flatMap(({ name, file, caughtBy }) =>
    testTrials(proofsOf({ caughtBy }, 'tests')).map((trial) => ({ ...trial, name, planted: file })),
  );
  const wrong = await againIfFailed(right, mongodbUri);
  const results = new Map<string, TrialResult>();
  await tryTests(trials, mongodbUri, (place, result) => {
    const { name, file } = trials[place]!;
    results.set(name, { ...(wrong.get(file) ?? result), ...results.get(name) });
    trials[place]!.name = '';
    if (!trials.some((trial) => trial.name === name)) onResult({ name, ...results.get(name) });
  });
}

/**
 * Runs tests without a fault; what fails is tried once more, as some depend on the machine's speed.
 * @returns by file, those that fail again: they prove nothing
 */
async function againIfFailed(
  trials: readonly TestTrial[],
  mongodbUri: string,
): Promise<Map<string, TrialResult>> {
  const failed: TestTrial[] = [];
  await tryTests(trials, mongodbUri, (place, result) => {
    if (Object.keys(result).length > 0) failed.push(trials[place]!);
  });
  const again = new Map<string, TrialResult>();
  await tryTests(failed, mongodbUri, (place, { caughtBy, broken }) => {
    const problem = caughtBy === undefined ? broken : `"${caughtBy}" fails without a fault`;
    if (problem !== undefined) again.set(failed[place]!.file, { broken: problem });
  });
  return again;
}

/** One for each file. */
function testTrials(names: readonly string[]): TestTrial[] {
  const named = names.map((name) => name.split(/: (.*)/) as [file: string, title?: string]);
  return [...new Set(named.map(([file]) => file))].map((file) => {
    const titles = named.filter(([other]) => other === file).map(([, title]) => title);
    return {
      file,
      titles: titles.some((title) => title === undefined) ? [] : [...new Set(titles as string[])],
    };
  });
}

function throwUnlessPassed({ caughtBy, broken }: TrialResult): void {
  if (broken !== undefined) throw new Error(`without a fault: ${broken}`);
  if (caughtBy !== undefined) throw new Error(`"${caughtBy}" fails without a fault`);
}

/** As many at once as there are cores. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
