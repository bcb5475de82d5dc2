import { availableParallelism } from 'node:os';
import { ScenarioMongod } from '../scenario/run/database.js';
import type { Fault } from './fault.js';
import { plant, type PlantedFile } from './plant.js';
import {
  runTrials,
  scenarioTrial,
  testCompiler,
  testTrials,
  type Trial,
  type TrialResult,
} from './trials.js';

/** What became of a fault. It survived if nothing that it names caught it. */
export interface FaultResult extends TrialResult {
  name: string;
}

type PlantedFault = Fault & { planted: PlantedFile };

/**
 * Plants each fault and runs what it names: its scenarios and, unless one of them failed, its tests.
 *
 * @param onResult called as each fault is done
 * @param hasPassed whether all that they name has just passed without a fault; else it runs first
 * @throws before the first trial if a fault cannot be planted, or if a scenario that is named fails without a fault
 */
export async function runFaults(
  faults: readonly Fault[],
  onResult: (result: FaultResult) => void,
  hasPassed: boolean,
): Promise<void> {
  const compiler = await testCompiler();
  const all = faults.map((fault) => ({ ...fault, planted: plant(fault, compiler) }));
  const left = all.filter((fault) => scenariosOf([fault]).length === 0);
  const byScenarios = all.filter((fault) => !left.includes(fault));
  const mongod = await ScenarioMongod.start(process.env['MONGOD_BINARY']);
  try {
    if (!hasPassed) await checkScenarios(scenariosOf(faults), mongod.uri);
    const scenarios = (fault: Fault): Trial[] => [scenarioTrial(scenariosOf([fault]))];
    await tryAll(byScenarios, scenarios, mongod.uri, (fault, result) => {
      if (Object.keys(result).length === 0 && testsOf([fault]).length > 0) left.push(fault);
      else onResult({ name: fault.name, ...result });
    });
    const wrong = hasPassed ? undefined : await failingTests(testsOf(left), mongod.uri);
    const tests = (fault: Fault): Trial[] => testTrials(testsOf([fault]));
    const onTried = ({ name }: Fault, result: TrialResult): void => onResult({ name, ...result });
    await tryAll(left, tests, mongod.uri, onTried, wrong);
  } finally {
    await mongod.stop();
  }
}

const isTest = (proof: string): boolean => proof.includes('.ts');
const proofsOf = (faults: readonly Fault[]): string[] => [
  ...new Set(faults.flatMap(({ caughtBy }) => caughtBy)),
];
const testsOf = (faults: readonly Fault[]): string[] => proofsOf(faults).filter(isTest);
const scenariosOf = (faults: readonly Fault[]): string[] =>
  proofsOf(faults).filter((proof) => !isTest(proof));

/**
 * @param trialsOf what is tried with a fault
 * @param onTried called as a fault's last trial is done, with what caught it
 * @param wrong by file, tests that fail without a fault
 */
async function tryAll(
  faults: readonly PlantedFault[],
  trialsOf: (fault: PlantedFault) => Trial[],
  mongodbUri: string,
  onTried: (fault: PlantedFault, result: TrialResult) => void,
  wrong: ReadonlyMap<string, TrialResult> = new Map(),
): Promise<void> {
  const trials = faults.flatMap((fault) =>
    trialsOf(fault).map((trial) => ({ ...trial, planted: fault.planted, fault })),
  );
  const results = new Map<PlantedFault, TrialResult[]>();
  await runTrials(trials, mongodbUri, (place, result) => {
    const { fault, file } = trials[place]!;
    const soFar = [...(results.get(fault) ?? []), wrong.get(file) ?? result];
    results.set(fault, soFar);
    if (soFar.length === trials.filter((trial) => trial.fault === fault).length)
      onTried(fault, soFar.find(({ caughtBy }) => caughtBy !== undefined) ?? Object.assign({}, ...soFar));
  });
}

/** @throws if a scenario fails without a fault */
async function checkScenarios(names: readonly string[], mongodbUri: string): Promise<void> {
  const shares = Array.from({ length: availableParallelism() }, (_, share) =>
    names.filter((_name, place) => place % availableParallelism() === share),
  );
  const trials = shares.filter((share) => share.length > 0).map(scenarioTrial);
  const problems: string[] = [];
  await runTrials(trials, mongodbUri, (_, { caughtBy, broken }) => {
    if (broken !== undefined) problems.push(`without a fault: ${broken}`);
    if (caughtBy !== undefined) problems.push(`"${caughtBy}" fails without a fault`);
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/**
 * Runs tests without a fault; what fails is tried once more, as some depend on the machine's speed.
 * @returns by file, those that fail again: they prove nothing
 */
async function failingTests(names: readonly string[], mongodbUri: string): Promise<Map<string, TrialResult>> {
  const failed: Trial[] = [];
  const trials = testTrials(names);
  await runTrials(trials, mongodbUri, (place, result) => {
    if (Object.keys(result).length > 0) failed.push(trials[place]!);
  });
  const again = new Map<string, TrialResult>();
  await runTrials(failed, mongodbUri, (place, { caughtBy, broken }) => {
    const problem = caughtBy === undefined ? broken : `"${caughtBy}" fails without a fault`;
    if (problem !== undefined) again.set(failed[place]!.file, { broken: problem });
  });
  return again;
}
