import type { Options } from '@swc/core';
import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlantedFile } from './plant.js';
import type { TestReport } from './test-reporter.js';

const ROOT = process.cwd();
const moduleOf = (name: string): string => join(ROOT, 'dist/tools/mutants', name);
const supportOf = (name: string): string => join(ROOT, 'test/support', name);
const SCENARIOS_FILE = 'test/scenarios/named.trial.ts';

/** A test that hangs because of a fault has failed. Milliseconds. */
const [UNIT_TEST_LIMIT, TEST_LIMIT] = [10_000, 60_000];
/** For all trials of one run. Milliseconds. */
const LIMIT = 1_800_000;

/** What shows that a fault is noticed: scenarios, up to the first that fails, or tests of a file. */
export interface Trial {
  /** Without it, to see that nothing fails without a fault. */
  planted?: PlantedFile | undefined;
  /** From the root. */
  file: string;
  /** Of the tests to run; without titles all. */
  titles: readonly string[];
  /** Without `.json`. */
  scenarios: readonly string[];
}

/** What failed; nothing if nothing did. `broken`: the trial itself did not run, which proves nothing. */
export interface TrialResult {
  caughtBy?: string;
  broken?: string;
}

/** The options by which the tests are compiled. */
export async function testCompiler(): Promise<Options> {
  const { COMPILER } = (await import(pathToFileURL(supportOf('typescript-hooks.mjs')).href)) as {
    COMPILER: Options;
  };
  return COMPILER;
}

/** @param names of scenarios */
export function scenarioTrial(names: readonly string[]): Trial {
  return { file: SCENARIOS_FILE, titles: [], scenarios: names };
}

/**
 * One for each file.
 * @param names `FILE` or `FILE: TITLE`
 */
export function testTrials(names: readonly string[]): Trial[] {
  const named = names.map((name) => name.split(/: (.*)/) as [file: string, title?: string]);
  return [...new Set(named.map(([file]) => file))].map((file) => {
    const titles = named.filter(([other]) => other === file).map(([, title]) => title);
    const all = titles.some((title) => title === undefined);
    return { file, titles: all ? [] : [...new Set(titles as string[])], scenarios: [] };
  });
}

/**
 * Runs all trials in one Jest, each as a project of its own. A file of cases runs without its group.
 *
 * @param onResult called as each trial is done, with its place in the list
 * @throws if Jest does not run all of them
 */
export async function runTrials(
  trials: readonly Trial[],
  mongodbUri: string,
  onResult: (trial: number, result: TrialResult) => void,
): Promise<void> {
  if (trials.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'pillwatch-faults-'));
  const [configFile, plantedFile] = [join(folder, 'jest.config.json'), join(folder, 'planted.json')];
  const config = {
    projects: trials.map(projectOf),
    reporters: [moduleOf('test-reporter.js')],
    // each trial loads our modules again, and they stay
    workerIdleMemoryLimit: '1GB',
  };
  await writeFile(configFile, JSON.stringify(config));
  await writeFile(plantedFile, JSON.stringify(trials.map(({ planted }) => planted ?? null)));
  const child = fork(
    join(ROOT, 'node_modules/jest/bin/jest.js'),
    // what hangs leaves its services running
    ['--config', configFile, '--maxWorkers=100%', '--forceExit'],
    {
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        ...process.env,
        PILLWATCH_TEST_MONGODB_URI: mongodbUri,
        PILLWATCH_TEST_COMMANDS: undefined,
        PILLWATCH_PLANTED_FAULTS: plantedFile,
      },
      timeout: LIMIT,
    },
  );
  let errors = '';
  child.stderr!.on('data', (text) => (errors += text));
  const done = new Set<number>();
  child.on('message', (message) => {
    const report = message as TestReport;
    const place = Number(report.project);
    done.add(place);
    onResult(place, resultOf(trials[place]!, report));
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  await rm(folder, { recursive: true, force: true });
  if (done.size < trials.length)
    throw new Error(`Jest ended with ${String(code)} after ${done.size} trials: ${errors.slice(-2_000)}`);
}

function resultOf({ file, titles, scenarios }: Trial, { failed, ran, problem }: TestReport): TrialResult {
  if (failed !== undefined) return { caughtBy: scenarios.includes(failed) ? failed : `${file}: ${failed}` };
  if (problem !== undefined) return { broken: problem };
  if (ran === 0) return { broken: `no test ran: ${file}: ${titles.join(', ')}` };
  return {};
}

function projectOf({ file, titles, scenarios }: Trial, place: number): object {
  return {
    // one cache for all
    id: 'planted-faults',
    rootDir: ROOT,
    roots: [join(ROOT, file, '..')],
    displayName: String(place),
    testMatch: [join(ROOT, file)],
    runtime: supportOf('node-runtime.mjs'),
    testEnvironment: supportOf('environment.mjs'),
    testTimeout: limitOf(file),
    testRunner: moduleOf('test-runner.js'),
    globals: {
      TRIAL: place,
      TITLES: titles.map((title) => title.replaceAll(/[^\w ]/g, '.')).join('|'),
      SCENARIOS: scenarios,
    },
    modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  };
}

function limitOf(file: string): number {
  // it limits each scenario itself
  if (file === SCENARIOS_FILE) return LIMIT;
  return file.endsWith('.spec.ts') ? UNIT_TEST_LIMIT : TEST_LIMIT;
}
