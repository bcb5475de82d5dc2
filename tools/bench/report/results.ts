import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Line } from './line.js';
import type { Spread } from './rounds.js';

const FILE = 'tools/bench/results.json';

/** Where and with what it was measured. */
export interface Machine {
  processor: string;
  cores: number;
  memory_gb: number;
  node: string;
  mongod: string;
  commit: string;
  date: string;
}

export function machine(mongod: string): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    mongod,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString(),
  };
}

export function print(line: Line): void {
  const { number, what, target, value, unit, met, figures } = line;
  const suffix = unit ? ` ${unit}` : '';
  console.log(
    `${met ? 'met   ' : 'SHORT '} ${String(number).padStart(2)}  ${what}: ${short(value, suffix)}, ${target}`,
  );
  for (const [name, figure] of Object.entries(figures)) console.log(`            ${name}: ${figure}`);
}

/** Writes the lines; those of an earlier run that were not measured now are kept with what they were. */
export function save(lines: Line[], on: Machine): void {
  const measured = new Set(lines.map(nameOf));
  const kept = earlier().filter((line) => !measured.has(nameOf(line)));
  const all = [...kept, ...lines.map((line) => ({ ...line, measured_on: on }))];
  mkdirSync('bench', { recursive: true });
  writeFileSync(
    FILE,
    `${JSON.stringify({ lines: all.sort((one, other) => one.number - other.number) }, null, 2)}\n`,
  );
  console.log(`\nwritten to ${FILE}`);
}

/** Some numbers have two lines. */
const nameOf = ({ number, what }: Line): string => `${number} ${what}`;

function earlier(): (Line & { measured_on: Machine })[] {
  try {
    return (JSON.parse(readFileSync(FILE, 'utf8')) as { lines: (Line & { measured_on: Machine })[] }).lines;
  } catch {
    return [];
  }
}

function short({ median, min, max }: Spread, suffix: string): string {
  const digits = (value: number): string =>
    value >= 100 ? value.toFixed(0) : value.toPrecision(3).replace(/\.?0+$/, '');
  return min === max
    ? `${digits(median)}${suffix}`
    : `${digits(median)}${suffix} (${digits(min)} to ${digits(max)})`;
}
