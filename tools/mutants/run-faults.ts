import { availableParallelism } from 'node:os';
import { ScenarioMongod } from '../scenario/harness/database.js';
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

/** A fault, and what is tried with it. */
interface Attempt {
  fault: Fault;
  planted: PlantedFile;
  trials: Trial[];
}

/**
 * Plants each fault and runs what it names: its scenarios and, unless one of them failed, its tests.
 *
 * @param onResult called as each fault is done
 * @throws before the first trial if a fault cannot be planted, or if a scenario that is named fails without a fault
 */
export async function runFaults(
  faults: readonly Fault[],
  onResult: (result: FaultResult) => void,
): Promise<void> {
  const compiler = await testCompiler();
  const attempts = faults.map((fault) => ({ fault, planted: plant(fault, compiler), trials: [] as Trial[] }));
  const mongod = await ScenarioMongod.start(process.env['MONGOD_BINARY']);
  try {
    await checkScenarios(scenariosOf(faults), mongod.uri);
    const left: Attempt[] = attempts.filter(({ fault }) => scenariosOf([fault]).length === 0);
    const byScenarios = attempts
      .filter((attempt) => !left.includes(attempt))
      .map((attempt) => ({ ...attempt, trials: [scenarioTrial(scenariosOf([attempt.fault]))] }));
    await tryAll(byScenarios, mongod.uri, (attempt, result) => {
      if (Object.keys(result).length === 0 && testsOf([attempt.fault]).length > 0) left.push(attempt);
      else onResult({ name: attempt.fault.name, ...result });
    });
    const wrong = await failingTests(testsOf(left.map(({ fault }) => fault)), mongod.uri);
    const byTests = left.map((attempt) => ({ ...attempt, trials: testTrials(testsOf([attempt.fault])) }));
    await tryAll(
      byTests,
      mongod.uri,
      ({ fault }, result) => onResult({ name: fault.name, ...result }),
      wrong,
    );
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
 * @param onTried called as an attempt's last trial is done, with what caught the fault
 * @param wrong by file, tests that fail without a fault
 */
async function tryAll(
  attempts: readonly Attempt[],
  mongodbUri: string,
  onTried: (attempt: Attempt, result: TrialResult) => void,
  wrong: ReadonlyMap<string, TrialResult> = new Map(),
): Promise<void> {
  const trials = attempts.flatMap((attempt) =>
    attempt.trials.map((trial) => ({ ...trial, planted: attempt.planted, attempt })),
  );
  const results = new Map<Attempt, TrialResult[]>();
  await runTrials(trials, mongodbUri, (place, result) => {
    const { attempt, file } = trials[place]!;
    const soFar = [...(results.get(attempt) ?? []), wrong.get(file) ?? result];
    results.set(attempt, soFar);
    if (soFar.length === attempt.trials.length)
      onTried(attempt, soFar.find(({ caughtBy }) => caughtBy !== undefined) ?? Object.assign({}, ...soFar));
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
