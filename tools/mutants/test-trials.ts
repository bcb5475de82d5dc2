import type { Options } from '@swc/core';
import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlantedFile } from './plant.js';
import type { TestReport } from './test-reporter.js';
import type { TrialResult } from './trial.js';

const ROOT = process.cwd();
const moduleOf = (name: string): string => join(ROOT, 'dist/tools/mutants', name);

/** A test that hangs because of a fault has failed. Milliseconds. */
const [UNIT_TEST_LIMIT, TEST_LIMIT] = [10_000, 60_000];
/** For all trials. Milliseconds. */
const LIMIT = 900_000;

/** What a trial by tests runs; without a fault, to see that nothing fails without one. */
export interface TestTrial {
  planted?: PlantedFile | undefined;
  /** From the root. */
  file: string;
  /** Those to run; without titles all. */
  titles: readonly string[];
}

/** The options by which the tests are compiled. */
export async function testCompiler(): Promise<Options> {
  const { COMPILER } = (await import(
    pathToFileURL(join(ROOT, 'test/support/typescript-hooks.mjs')).href
  )) as { COMPILER: Options };
  return COMPILER;
}

/**
 * Runs all trials in one Jest, each as a project of its own. A file of cases runs without its group.
 *
 * @param onResult called as each trial is done, with its place in the list
 * @throws if Jest does not run all of them
 */
export async function tryTests(
  trials: readonly TestTrial[],
  mongodbUri: string,
  onResult: (trial: number, result: TrialResult) => void,
): Promise<void> {
  if (trials.length === 0) return;
  const compiler = await testCompiler();
  const config = {
    projects: trials.map((trial, place) => projectOf(trial, place, compiler)),
    reporters: [moduleOf('test-reporter.js')],
  };
  // too long for an argument
  const folder = await mkdtemp(join(tmpdir(), 'pillwatch-faults-'));
  const configFile = join(folder, 'jest.config.json');
  await writeFile(configFile, JSON.stringify(config));
  const child = fork(
    join(ROOT, 'node_modules/jest/bin/jest.js'),
    // a test that hangs leaves its services running
    ['--config', configFile, '--maxWorkers=100%', '--forceExit'],
    {
      execArgv: ['--experimental-vm-modules', '--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, PILLWATCH_TEST_MONGODB_URI: mongodbUri, PILLWATCH_TEST_COMMANDS: undefined },
      timeout: LIMIT,
    },
  );
  let errors = '';
  child.stderr!.on('data', (text) => (errors += text));
  const done = new Set<number>();
  child.on('message', (message) => {
    const { project, failed, ran, problem } = message as TestReport;
    const place = Number(project);
    const { file, titles } = trials[place]!;
    done.add(place);
    if (failed !== undefined) onResult(place, { caughtBy: `${file}: ${failed}` });
    else if (problem !== undefined || ran === 0)
      onResult(place, { broken: problem ?? `no test ran: ${file}: ${titles.join(', ')}` });
    else onResult(place, {});
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  await rm(folder, { recursive: true, force: true });
  if (done.size < trials.length)
    throw new Error(`Jest ended with ${String(code)} after ${done.size} trials: ${errors.slice(-2_000)}`);
}

/** A trial loads everything itself, in a `vm` context of its own: what is planted for another one is not in it. */
function projectOf({ planted, file, titles }: TestTrial, place: number, compiler: Options): object {
  const isUnitTest = file.endsWith('.spec.ts');
  const read = planted && { path: planted.path, source: planted.source };
  return {
    // one cache for all
    id: 'planted-faults',
    rootDir: ROOT,
    roots: [join(ROOT, file, '..')],
    displayName: String(place),
    testMatch: [join(ROOT, file)],
    testEnvironment: 'node',
    testTimeout: isUnitTest ? UNIT_TEST_LIMIT : TEST_LIMIT,
    testRunner: moduleOf('test-runner.js'),
    globals: { TITLES: titles.map((title) => title.replaceAll(/[^\w ]/g, '.')).join('|') },
    extensionsToTreatAsEsm: ['.ts'],
    transform: {
      '^.+\\.ts$': [moduleOf('planting-transform.js'), { compiler, ...(read && { planted: read }) }],
    },
    moduleNameMapper: {
      '^#(domain|persistence|platform|timeseries)$': '<rootDir>/libs/$1/src/index.ts',
      '^(\\.{1,2}/.*)\\.js$': '$1',
    },
    modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  };
}
