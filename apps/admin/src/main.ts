import { ConfigError, DatabaseConfig, loadConfig, SystemClock } from '#platform';
import { loadAdminConfig } from './config.js';
import { verifyAudit } from './audit/audit.command.js';
import { type CommandLine, readCommandLine, USAGE, UsageError } from './command-line.js';
import { firstLine } from './first-line.js';
import { migrate } from './migrate/migrate.command.js';
import { shardCollections } from './shard/shard.command.js';
import { createStaff } from './staff/create-staff.command.js';
import { resetSecondFactor } from './staff/reset-second-factor.command.js';
import { runTimeseries } from './timeseries/timeseries.command.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const note = (text: string): void => void process.stderr.write(`${text}\n`);

async function run(request: CommandLine): Promise<void> {
  switch (request.command) {
    case 'shard':
      return shardCollections(loadConfig(DatabaseConfig), say);
    case 'migrate':
      return migrate(loadConfig(DatabaseConfig));
    case 'create-staff': {
      const password = request.passwordFromInput ? await firstLine(process.stdin) : undefined;
      return createStaff(request, password, await loadAdminConfig(), { say, clock: new SystemClock() });
    }
    case 'reset-second-factor':
      return resetSecondFactor(request.email, await loadAdminConfig(), { say, clock: new SystemClock() });
    case 'audit':
      return verifyAudit(request, await loadAdminConfig(), say);
    case 'timeseries':
      return runTimeseries(request, await loadAdminConfig(), { say, clock: new SystemClock() });
  }
}

/** @returns the exit code */
async function main(): Promise<number> {
  try {
    const request = readCommandLine(process.argv.slice(2));
    if (request) await run(request);
    else say(USAGE);
    return 0;
  } catch (error) {
    const wrong = error instanceof UsageError || error instanceof ConfigError;
    note(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) note(`\n${USAGE}`);
    return wrong ? 2 : 1;
  }
}

process.exit(await main());
