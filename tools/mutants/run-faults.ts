import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ScenarioMongod } from '../scenario/harness/database.js';
import type { Fault } from './fault.js';
import { plant, type PlantedFile } from './plant.js';
import { testCompiler, tryTest } from './test-trial.js';
import { type ScenarioSource, type TrialResult, tryScenarios } from './trial.js';

/** What became of a fault. It survived if nothing caught it. */
export interface FaultResult extends TrialResult {
  name: string;
  seconds: number;
  /** It was caught, but by nothing that it names. */
  unexpected?: true;
}

/** The fleet that is tried when no scenario catches a fault. */
const FLEET = { seed: 1, bottles: 12, days: 6 };

/** What runs a trial: with a fault planted, or with none. */
type Try = (planted: PlantedFile | undefined) => Promise<TrialResult>;

/**
 * Plants each fault and looks for what catches it: first what it names, then all scenarios and a generated fleet. As
 * many trials run at once as there are cores.
 *
 * @param onResult called as each fault is done
 * @throws before the first trial if a fault cannot be planted; after the trials without a fault if one of them fails:
 *   then a failure proves nothing
 */
export async function runFaults(
  faults: readonly Fault[],
  onResult: (result: FaultResult) => void = () => {},
): Promise<FaultResult[]> {
  const compiler = await testCompiler();
  const planted = faults.map((fault) => ({ fault, file: plant(fault, compiler) }));
  const mongod = await ScenarioMongod.start(process.env['MONGOD_BINARY']);
  try {
    await checkWithout(faults, mongod.uri);
    return await inParallel(planted, async ({ fault, file }) => {
      const began = performance.now();
      const result = await tryFault(fault, file, mongod.uri);
      const timed = { name: fault.name, seconds: (performance.now() - began) / 1000, ...result };
      onResult(timed);
      return timed;
    });
  } finally {
    await mongod.stop();
  }
}

async function tryFault(
  { caughtBy }: Fault,
  file: PlantedFile,
  mongodbUri: string,
): Promise<TrialResult & Pick<FaultResult, 'unexpected'>> {
  const named = await firstFailure(triesOf(caughtBy, mongodbUri), file);
  if (named.caughtBy !== undefined || named.broken !== undefined) return named;
  const sources = [
    ...allScenarios().filter(({ scenario }) => !caughtBy.includes(scenario)),
    { fleet: FLEET },
  ];
  const other = await tryScenarios({ planted: file.compiled, mongodbUri, sources });
  return other.caughtBy === undefined ? other : { ...other, unexpected: true };
}

/** All that the faults name, without a fault. */
async function checkWithout(faults: readonly Fault[], mongodbUri: string): Promise<void> {
  const names = [...new Set(faults.flatMap(({ caughtBy }) => caughtBy))];
  const shares = Array.from({ length: availableParallelism() }, (_, share) =>
    names.filter((_name, place) => place % availableParallelism() === share),
  );
  const results = await inParallel(shares, (share) => firstFailure(triesOf(share, mongodbUri), undefined));
  for (const { caughtBy, how, broken } of results) {
    if (broken !== undefined) throw new Error(`without a fault: ${broken}`);
    if (caughtBy !== undefined) throw new Error(`"${caughtBy}" fails without a fault: ${how}`);
  }
}

function triesOf(names: readonly string[], mongodbUri: string): Try[] {
  const scenarios = names.filter((name) => !isTest(name)).map((scenario) => ({ scenario }));
  return [
    ...(scenarios.length > 0 ? [tryingScenarios(scenarios, mongodbUri)] : []),
    ...names.filter(isTest).map(
      (test): Try =>
        (planted) =>
          tryTest({ planted, mongodbUri, test }),
    ),
  ];
}

function tryingScenarios(sources: readonly ScenarioSource[], mongodbUri: string): Try {
  return (planted) => tryScenarios({ planted: planted?.compiled, mongodbUri, sources });
}

async function firstFailure(tries: readonly Try[], planted: PlantedFile | undefined): Promise<TrialResult> {
  for (const attempt of tries) {
    const result = await attempt(planted);
    if (result.caughtBy !== undefined || result.broken !== undefined) return result;
  }
  return {};
}

const isTest = (name: string): boolean => name.includes('.ts');

function allScenarios(): { scenario: string }[] {
  return readdirSync('test/scenarios')
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ scenario: file.slice(0, -'.json'.length) }));
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [place, item] of waiting) results[place] = await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}
