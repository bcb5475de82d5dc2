import { parseArgs } from 'node:util';
import type { Fleet } from './fleet.js';
import { parseBytes } from './units.js';

export interface SizingRequest {
  fleet: Fleet;
  /** Bytes that one shard holds. */
  shardBytes: number;
  /** Write docs/sizing.md too. */
  write: boolean;
  /** The options as typed, quoted in the report. */
  typed: string;
}

/** The command line is wrong; the message says what to do. */
export class UsageError extends Error {}

export const USAGE = `npm run sizing -- [options]     what a fleet needs from the database, measured on a sample
  --users N                 number of users (10e6)
  --bottles-per-user N      (3)
  --doses-per-day N         for each bottle (2)
  --shard-size SIZE         what one shard holds, such as 500GB or 2TB (2TB)
  --write                   write docs/sizing.md too

The sample is written to a temporary database, on MONGODB_URI or on a mongod started for the run.
Exits with 1 on failure, with 2 when the command line is wrong.`;

const OPTIONS = {
  users: { type: 'string', default: '10e6' },
  'bottles-per-user': { type: 'string', default: '3' },
  'doses-per-day': { type: 'string', default: '2' },
  'shard-size': { type: 'string', default: '2TB' },
  write: { type: 'boolean', default: false },
} as const;

/**
 * Reads the command line.
 *
 * @returns undefined when help was asked for
 * @throws UsageError naming what is wrong
 */
export function readCommandLine(args: string[]): SizingRequest | undefined {
  if (args.includes('--help')) return undefined;
  const values = readOptions(args);
  const shardBytes = parseBytes(values['shard-size']);
  if (shardBytes === undefined) throw new UsageError('--shard-size must be a size such as 500GB or 2TB');
  return {
    fleet: {
      users: positive('users', values.users),
      bottlesPerUser: positive('bottles-per-user', values['bottles-per-user']),
      dosesPerDay: positive('doses-per-day', values['doses-per-day']),
    },
    shardBytes,
    write: values.write,
    typed: args.join(' '),
  };
}

function readOptions(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--${name} must be a number above 0`);
}
