import { ConfigError, loadConfig } from '#platform';
import { once } from 'node:events';
import { AckLog } from './cli/ack-log.js';
import { type CommandLine, readCommandLine, USAGE, UsageError } from './cli/options.js';
import { Progress, summaryText } from './cli/output.js';
import { SimulatorConfig } from './config.js';
import { Simulator } from './simulator.js';

const DOUBLED_SIGNAL_MS = 500;

/** Runs until the time is over or a signal comes; a second signal ends it at once. */
async function run({ simulator: options, duration, logAcks }: CommandLine): Promise<number> {
  const acks = logAcks === undefined ? undefined : new AckLog(logAcks);
  const simulator = new Simulator({ ...options, onAcknowledged: (report) => acks?.add(report) });
  const progress = new Progress(() => simulator.stats(), process.stdout);
  const end = endOf(duration);
  try {
    await Promise.race([end, simulator.start()]);
    await end;
  } finally {
    const summary = await simulator.stop();
    await acks?.close();
    progress.stop();
    process.stdout.write(`${summaryText(summary)}\n`);
  }
  return simulator.stats().refused > 0 ? 1 : 0;
}

async function endOf(duration: number | undefined): Promise<void> {
  const ended = new AbortController();
  let first = Infinity;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // npm passes on the Ctrl-C that the terminal has sent to us as well: that is one
      if (performance.now() - first > DOUBLED_SIGNAL_MS) process.exit(130);
      first = Math.min(first, performance.now());
      ended.abort();
    });
  }
  if (duration !== undefined) setTimeout(() => ended.abort(), duration);
  await once(ended.signal, 'abort');
}

/** @returns the exit code */
async function main(): Promise<number> {
  try {
    const commandLine = readCommandLine(process.argv.slice(2), loadConfig(SimulatorConfig).ADMIN_TOKEN);
    if (commandLine) return await run(commandLine);
    process.stdout.write(`${USAGE}\n`);
    return 0;
  } catch (error) {
    const expected = error instanceof UsageError || error instanceof ConfigError;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (expected) process.stderr.write('npm run simulate -- --help says more\n');
    return expected ? 2 : 1;
  }
}

process.exit(await main());
