import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { OutagePart } from '../../tools/scenario/generate/outage.js';

const MAIN = fileURLToPath(new URL('../../dist/tools/scenario/main.js', import.meta.url));

/** Scenarios for `npm run test:soak`: each takes as long as twenty of the others. */
export const LONG_SCENARIOS = ['week-of-twenty-bottles.json'];

/** What the runner says of one file. */
export interface FileResult {
  file: string;
  name: string;
  seconds: number;
  differences: string[];
  notes: string[];
  messages: string[];
  figures?: {
    expected: number;
    received: number;
    not_raised: number;
    false_alarms: number;
    outcomes: number;
  };
}

/** A run of `npm run scenario` under way: each scenario's result as it comes, and the exit code. */
export interface Run {
  resultOf(file: string): Promise<FileResult>;
  exitCode: Promise<number | null>;
}

/** Runs files of a folder in a process of their own, as a user does. */
export function runFiles(folder: string, files: readonly string[]): Run {
  const run = start(files.map((file) => join(folder, file)));
  return { ...run, resultOf: (file) => run.resultOf(join(folder, file)) };
}

/** Makes up fleets and runs them, as a user does; results are named by their seeds. */
export function runFleets(
  { bottles, days }: { bottles: number; days: number },
  seeds: readonly number[],
): Run {
  const size = [`--bottles=${bottles}`, `--days=${days}`];
  const run = start([...size, '--generate', ...seeds.map(String)]);
  return { ...run, resultOf: (seed) => run.resultOf(`--generate ${seed}`) };
}

/** Runs the outages of these parts, as a user does; results are named as `nameOfOutage` does. */
export function runOutages(parts: readonly OutagePart[]): Run {
  return start(['--outages', ...parts]);
}

function start(args: readonly string[]): Run {
  const child = spawn(process.execPath, [MAIN, '--json', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const results = new Map<string, FileResult>();
  const waiting = new Map<string, (result: FileResult | Error) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const result = JSON.parse(line) as FileResult;
    results.set(result.file, result);
    waiting.get(result.file)?.(result);
  });
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
  void exitCode.then((code) => {
    for (const settle of waiting.values()) settle(new Error(`the runner ended with ${code}`));
  });
  return {
    exitCode,
    resultOf: (file) =>
      new Promise((resolve, reject) => {
        const settle = (result: FileResult | Error): void =>
          result instanceof Error ? reject(result) : resolve(result);
        const known = results.get(file);
        if (known) resolve(known);
        else waiting.set(file, settle);
        if (!known && child.exitCode !== null) reject(new Error(`no result for ${file}`));
      }),
  };
}
