import type { Readable } from 'node:stream';
import { ConfigError, DatabaseConfig, loadConfig, SystemClock, withoutValues } from '#platform';
import { loadAdminConfig } from './config.js';
import { AuditError, verifyAudit } from './audit/audit.command.js';
import { type CommandLine, readCommandLine, USAGE, UsageError } from './command-line.js';
import { ErasureError, verifyErasure } from './erasure/erasure.command.js';
import { firstLine } from './first-line.js';
import { migrate } from './migrate/migrate.command.js';
import { ShardError, shardCollections } from './shard/shard.command.js';
import { createStaff } from './staff/create-staff.command.js';
import { resetSecondFactor } from './staff/reset-second-factor.command.js';
import { StaffError } from './staff/staff-database.js';
import { DifferenceError, runTimeseries } from './timeseries/timeseries.command.js';

/** Where a command reads, and where it writes. */
export interface Surroundings {
  /** The settings; those of this process if omitted. */
  env?: NodeJS.ProcessEnv;
  /** Where a password may come from. */
  input: Readable;
  /** One line, or several, of the standard output. */
  say: (text: string) => void;
  /** Of the standard error. */
  note: (text: string) => void;
}

async function run(request: CommandLine, { env, input, say }: Surroundings): Promise<void> {
  switch (request.command) {
    case 'shard':
      return shardCollections(loadConfig(DatabaseConfig, env), say);
    case 'migrate':
      return migrate(loadConfig(DatabaseConfig, env));
    case 'create-staff': {
      const password = request.passwordFromInput ? await firstLine(input) : undefined;
      return createStaff(request, password, await loadAdminConfig(env), { say, clock: new SystemClock() });
    }
    case 'reset-second-factor':
      return resetSecondFactor(request.email, await loadAdminConfig(env), { say, clock: new SystemClock() });
    case 'audit':
      return verifyAudit(request, await loadAdminConfig(env), say);
    case 'erasure':
      return verifyErasure(request, await loadAdminConfig(env), { say, clock: new SystemClock() });
    case 'timeseries':
      return runTimeseries(request, await loadAdminConfig(env), { say, clock: new SystemClock() });
  }
}

/** Whether a command wrote the message, for whoever runs it. An error of the database may quote a record. */
const isOurs = (error: unknown): error is Error =>
  [UsageError, ConfigError, AuditError, ErasureError, DifferenceError, StaffError, ShardError].some(
    (type) => error instanceof type,
  );

/**
 * Runs the command that the arguments name.
 * @returns the exit code
 */
export async function runAdmin(args: string[], surroundings: Surroundings): Promise<number> {
  const { say, note } = surroundings;
  try {
    const request = readCommandLine(args);
    if (request) await run(request, surroundings);
    else say(USAGE);
    return 0;
  } catch (error) {
    const wrong = error instanceof UsageError || error instanceof ConfigError;
    note(isOurs(error) ? error.message : withoutValues(String(error)));
    if (error instanceof UsageError) note(`\n${USAGE}`);
    return wrong ? 2 : 1;
  }
}
