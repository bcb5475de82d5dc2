import { parseArgs } from 'node:util';

export const USAGE = `npm run scenario -- [--verbose] [--json] FILE...
npm run scenario -- [--verbose] [--json] --generate SEED... [--bottles 200] [--days 30] [--only KEY]
  --verbose   shows every message
  --json      one line of JSON a scenario, for programs
  --generate  makes up a fleet and its truth; the same seed makes the same
  --only      runs one of the fleet's bottles, b001 and so on, amid the same outages`;

/** What the command line asks for. */
export interface RunOptions {
  files: string[];
  seeds: number[];
  bottles: number;
  days: number;
  only?: string;
  verbose: boolean;
  json: boolean;
}

/** @returns undefined for a command line that asks for nothing that can be run. */
export function readOptions(args: string[]): RunOptions | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        verbose: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        generate: { type: 'boolean', default: false },
        bottles: { type: 'string', default: '200' },
        days: { type: 'string', default: '30' },
        only: { type: 'string' },
      },
    });
    const { generate, verbose, json, only } = values;
    const [bottles, days] = [Number(values.bottles), Number(values.days)];
    const seeds = generate ? positionals.map(Number) : [];
    const areWhole = [bottles, days, ...seeds].every((number) => Number.isInteger(number) && number >= 0);
    if (positionals.length === 0 || !areWhole || bottles < 1 || days < 1) return undefined;
    const files = generate ? [] : positionals;
    return { files, seeds, bottles, days, verbose, json, ...(only === undefined ? {} : { only }) };
  } catch {
    return undefined;
  }
}
