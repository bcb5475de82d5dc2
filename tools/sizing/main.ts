import { ConfigError, loadConfig, SystemClock } from '#platform';
import { readCommandLine, USAGE, UsageError } from './command-line.js';
import { SizingConfig } from './config.js';
import { runSizing } from './run-sizing.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const note = (text: string): void => void process.stderr.write(`${text}\n`);

/** @returns the exit code */
async function main(): Promise<number> {
  try {
    const request = readCommandLine(process.argv.slice(2));
    if (request) await runSizing(request, loadConfig(SizingConfig), { say, note, clock: new SystemClock() });
    else say(USAGE);
    return 0;
  } catch (error) {
    note(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) note(`\n${USAGE}`);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

process.exit(await main());
