import type { Options } from '@swc/core';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlantedFile } from './plant.js';
import { TRIAL_LIMIT, type TrialResult } from './trial.js';

const ROOT = process.cwd();
const TRANSFORM = join(ROOT, 'dist/tools/mutants/planting-transform.js');

/** A test that hangs because of a fault has failed. Milliseconds. */
const [UNIT_TEST_LIMIT, TEST_LIMIT] = [10_000, 120_000];

/** What is used of `jest.config.mjs`. */
interface JestConfig {
  projects: { displayName: string; transform: Record<string, [path: string, compiler: Options]> }[];
}

/** What is used of what Jest reports. */
interface JestReport {
  testResults: {
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** What a trial by a test runs; without a fault, to see that nothing fails without one. */
export interface TestTrial {
  planted?: PlantedFile | undefined;
  mongodbUri: string;
  /** `FILE` or `FILE: TITLE`, the file from the root. */
  test: string;
}

/** The options by which the tests are compiled. */
export async function testCompiler(): Promise<Options> {
  const [project] = (await jestConfig()).projects;
  return Object.values(project!.transform)[0]![1];
}

/** Runs the tests of a file, or one of them. */
export async function tryTest({ planted, mongodbUri, test }: TestTrial): Promise<TrialResult> {
  const [file, title] = test.split(': ') as [string, string?];
  const isUnitTest = file.endsWith('.spec.ts');
  const config = {
    ...(await configWith(file, planted)),
    testTimeout: isUnitTest ? UNIT_TEST_LIMIT : TEST_LIMIT,
  };
  const args = [
    '--config',
    JSON.stringify(config),
    '--selectProjects',
    isUnitTest ? 'unit' : 'e2e',
    '--json',
    '-i',
    ...(title === undefined ? [] : ['-t', title.replaceAll(/[^\w ]/g, '.')]),
  ];
  const child = spawn(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', ...args],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, PILLWATCH_TEST_MONGODB_URI: mongodbUri, PILLWATCH_TEST_COMMANDS: undefined },
      timeout: TRIAL_LIMIT,
    },
  );
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(resultOf(output, test, code)));
  });
}

function resultOf(output: string, test: string, code: number | null): TrialResult {
  const [, json] = /^(\{"num.*)$/m.exec(output) ?? [];
  if (json === undefined) return { broken: `Jest ended with ${code}` };
  const { testResults } = JSON.parse(json) as JestReport;
  const tests = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'pending');
  const failed = tests.find(({ status }) => status === 'failed');
  if (failed) return { caughtBy: failed.fullName, how: failed.failureMessages[0]! };
  if (code !== 0 || tests.length === 0)
    return {
      broken: testResults.find(({ message }) => message)?.message ?? `no test ran: ${test}`,
    };
  return {};
}

/** @param file the only one to run */
async function configWith(file: string, planted: PlantedFile | undefined): Promise<JestConfig> {
  const config = await jestConfig();
  const read = planted && { path: planted.path, source: planted.source };
  const projects = config.projects.map(({ transform, ...project }) => ({
    ...project,
    rootDir: ROOT,
    testMatch: [join(ROOT, file)],
    transform: Object.fromEntries(
      Object.entries(transform).map(([pattern, [, compiler]]) => [
        pattern,
        [TRANSFORM, { compiler, ...(read && { planted: read }) }],
      ]),
    ),
  }));
  return { ...config, projects } as unknown as JestConfig;
}

async function jestConfig(): Promise<JestConfig> {
  const module = (await import(pathToFileURL(join(ROOT, 'jest.config.mjs')).href)) as { default: JestConfig };
  return module.default;
}
