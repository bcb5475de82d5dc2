import { ConfigError, DatabaseConfig, loadConfig, SystemClock, withoutValues } from '#platform';
import { loadAdminConfig } from './config.js';
import { AuditError, verifyAudit } from './audit/audit.command.js';
import { type CommandLine, readCommandLine, USAGE, UsageError } from './command-line.js';
import { firstLine } from './first-line.js';
import { migrate } from './migrate/migrate.command.js';
import { ShardError, shardCollections } from './shard/shard.command.js';
import { createStaff } from './staff/create-staff.command.js';
import { resetSecondFactor } from './staff/reset-second-factor.command.js';
import { StaffError } from './staff/staff-database.js';
import { DifferenceError, runTimeseries } from './timeseries/timeseries.command.js';

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

/** Whether a command wrote the message, for whoever runs it. An error of the database may quote a record. */
const isOurs = (error: unknown): error is Error =>
  [UsageError, ConfigError, AuditError, DifferenceError, StaffError, ShardError].some(
    (type) => error instanceof type,
  );

/** @returns the exit code */
async function main(): Promise<number> {
  try {
    const request = readCommandLine(process.argv.slice(2));
    if (request) await run(request);
    else say(USAGE);
    return 0;
  } catch (error) {
    const wrong = error instanceof UsageError || error instanceof ConfigError;
    note(isOurs(error) ? error.message : withoutValues(String(error)));
    if (error instanceof UsageError) note(`\n${USAGE}`);
    return wrong ? 2 : 1;
  }
}

process.exit(await main());
