import { type Role, ROLES } from '#persistence';
import { isEmail } from 'class-validator';
import { parseArgs } from 'node:util';

/** What was asked for. */
export type CommandLine =
  | { command: 'shard' | 'migrate' }
  | { command: 'reset-second-factor'; email: string }
  | CreateStaffRequest
  | TimeseriesRequest
  | AuditRequest
  | ErasureRequest;

export interface CreateStaffRequest {
  command: 'create-staff';
  email: string;
  name: string;
  role: Role;
  /** The password is the first line of the standard input; else one is made. */
  passwordFromInput: boolean;
}

export interface TimeseriesRequest {
  command: 'timeseries';
  task: 'verify' | 'rebuild';
  /** Inclusive; the start of the day before yesterday (UTC) unless given. */
  from?: Date;
  /** Exclusive; the end of today (UTC) unless given. */
  to?: Date;
}

export interface AuditRequest {
  command: 'audit';
  task: 'verify';
  /** The last line of an earlier run: that entry must still be there, unchanged. */
  kept?: { seq: number; hash: string };
}

export interface ErasureRequest {
  command: 'erasure';
  task: 'verify';
  userId: string;
}

/** The command line is wrong; the message says what to do. */
export class UsageError extends Error {}

export const USAGE = `npm run migrate                 brings the database of MONGODB_URI up to this version: collections, indexes and
                                migrations, as every service does at its start

npm run shard                   shards the collections of MONGODB_URI, a mongos, as docs/sharding.md says;
                                what is sharded already stays as it is

npm run admin -- create-staff --email ADDRESS --role viewer|support|admin [--name NAME] [--password-stdin]
                                makes an account for the console, the first admin's for instance; its password
                                is the first line of the standard input, or is made and shown once

npm run admin -- reset-second-factor --email ADDRESS
                                for a person who has lost their authenticator app and the recovery codes: signs
                                them out, and the next sign-in asks for the password alone
npm run admin -- audit verify [--kept PLACE:HASH]
                                follows the chain of the audit from its first entry and names each entry that was
                                changed, removed or inserted; prints the last one's place and hash. Keep them outside
                                the database: --kept proves that nothing up to there was written again
npm run admin -- erasure verify USER_ID
                                looks for an erased person in every document and in the database's oplog, and names
                                each collection that has something, and when the oplog is overwritten

npm run timeseries -- verify|rebuild [options]
                                compares the counts behind the charts with the logs and prints what differs, or
                                makes them from the logs again, while ingest goes on; rebuild takes over a minute
  --from TIME               a date or an instant, such as 2026-03-02 or 2026-03-02T10:00:00Z (two days ago)
  --to TIME                 before this (the end of today); both are widened to whole hours

Without MONGODB_URI, admin and timeseries use the database of the npm start that runs in DATA_DIR (.data).

Exits with 1 when it failed or something differs, with 2 when the command line is wrong.`;

const STAFF_OPTIONS = {
  email: { type: 'string' },
  role: { type: 'string' },
  name: { type: 'string' },
  'password-stdin': { type: 'boolean', default: false },
} as const;

const TIMESERIES_OPTIONS = { from: { type: 'string' }, to: { type: 'string' } } as const;

/**
 * Reads the command line.
 *
 * @returns undefined when help was asked for
 * @throws UsageError naming what is wrong
 */
export function readCommandLine([command, ...args]: string[]): CommandLine | undefined {
  if (args.includes('--help') || command === '--help' || command === 'help') return undefined;
  switch (command) {
    case 'migrate':
    case 'shard':
      parsed(() => parseArgs({ args, options: {}, strict: true }));
      return { command };
    case 'create-staff':
      return createStaff(args);
    case 'reset-second-factor': {
      const { values } = parsed(() =>
        parseArgs({ args, options: { email: { type: 'string' } }, strict: true }),
      );
      return { command, email: emailOf(values) };
    }
    case 'timeseries':
      return timeseries(args);
    case 'audit':
      return audit(args);
    case 'erasure':
      return erasure(args);
    default:
      throw new UsageError(command === undefined ? 'give a command' : `there is no command ${command}`);
  }
}

function createStaff(args: string[]): CreateStaffRequest {
  const { values } = parsed(() => parseArgs({ args, options: STAFF_OPTIONS, strict: true }));
  const email = emailOf(values);
  const { role, name = values.email ?? email, 'password-stdin': passwordFromInput } = values;
  const known = ROLES.find((one) => one === role);
  if (known === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  if (name.trim() === '' || name.length > 100) throw new UsageError('--name must have 1 to 100 characters');
  return { command: 'create-staff', email, name, role: known, passwordFromInput };
}

function emailOf({ email = '' }: { email?: string }): string {
  if (!isEmail(email)) throw new UsageError('--email must be an e-mail address');
  return email.toLowerCase();
}

function audit([task, ...args]: string[]): AuditRequest {
  if (task !== 'verify') throw new UsageError('usage: audit verify');
  const { values } = parsed(() => parseArgs({ args, options: { kept: { type: 'string' } }, strict: true }));
  if (values.kept === undefined) return { command: 'audit', task };
  const [, seq, hash] = /^(\d{1,15}):([\w-]{43})$/.exec(values.kept) ?? [];
  if (seq === undefined || hash === undefined)
    throw new UsageError('--kept must be PLACE:HASH, as an earlier run printed it');
  return { command: 'audit', task, kept: { seq: Number(seq), hash } };
}

function erasure([task, ...args]: string[]): ErasureRequest {
  if (task !== 'verify') throw new UsageError('usage: erasure verify USER_ID');
  const { positionals } = parsed(() =>
    parseArgs({ args, options: {}, allowPositionals: true, strict: true }),
  );
  const [userId, ...more] = positionals;
  if (userId === undefined || userId.trim() === '' || more.length > 0)
    throw new UsageError('erasure verify needs one user id; quote it if it has blanks');
  return { command: 'erasure', task, userId };
}

function timeseries([task, ...args]: string[]): TimeseriesRequest {
  if (task !== 'verify' && task !== 'rebuild') throw new UsageError('timeseries needs verify or rebuild');
  const { values } = parsed(() => parseArgs({ args, options: TIMESERIES_OPTIONS, strict: true }));
  const from = values.from === undefined ? undefined : timeOf('from', values.from);
  const to = values.to === undefined ? undefined : timeOf('to', values.to);
  if (from && to && from >= to) throw new UsageError('--from must be before --to');
  return { command: 'timeseries', task, ...(from && { from }), ...(to && { to }) };
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function timeOf(name: string, text: string): Date {
  const time = new Date(text);
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/.test(text);
  if (isTime && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 10)))
    return time;
  throw new UsageError(`--${name} must be a date or an instant such as 2026-03-02 or 2026-03-02T10:00:00Z`);
}
