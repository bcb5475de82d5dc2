import { parseArgs } from 'node:util';
import { OUTAGE_PARTS, type OutagePart } from './generate/outage.js';

export const USAGE = `npm run scenario -- [--verbose] [--json] FILE...
npm run scenario -- [--verbose] [--json] --generate SEED... [--bottles 200] [--days 30] [--only KEY,...]
npm run scenario -- [--verbose] [--json] --outages [${OUTAGE_PARTS.join('|')}]...
  --verbose   shows every message
  --json      one line of JSON a scenario, for programs
  --generate  makes up a fleet and its truth; the same seed makes the same
  --only      runs some of the fleet's bottles, b001 and so on, amid the same outages
  --outages   outages of 5, 15, 60 and 300 minutes of a part of the service, with and without backlog`;

/** What the command line asks for. */
export interface RunOptions {
  files: string[];
  seeds: number[];
  outages: OutagePart[];
  bottles: number;
  days: number;
  only?: string[];
  verbose: boolean;
  json: boolean;
}

const NOTHING = { files: [], seeds: [], bottles: 0, days: 0 };

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
        outages: { type: 'boolean', default: false },
      },
    });
    const { generate, verbose, json, only, outages } = values;
    if (outages) return { ...NOTHING, outages: partsOf(positionals), verbose, json };
    const [bottles, days] = [Number(values.bottles), Number(values.days)];
    const seeds = generate ? positionals.map(Number) : [];
    const areWhole = [bottles, days, ...seeds].every((number) => Number.isInteger(number) && number >= 0);
    if (positionals.length === 0 || !areWhole || bottles < 1 || days < 1) return undefined;
    const files = generate ? [] : positionals;
    return {
      files,
      seeds,
      outages: [],
      bottles,
      days,
      verbose,
      json,
      ...(only === undefined ? {} : { only: only.split(',') }),
    };
  } catch {
    return undefined;
  }
}

/** Without names all of them. @throws if a name is not one of a part */
function partsOf(names: string[]): OutagePart[] {
  const parts = OUTAGE_PARTS.filter((part) => names.length === 0 || names.includes(part));
  if (names.some((name) => !parts.some((part) => part === name))) throw new Error(USAGE);
  return parts;
}
