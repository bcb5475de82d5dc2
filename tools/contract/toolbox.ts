import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SOURCE = resolve('tools/contract');
/** Beside the database's program, which the product keeps. */
const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pillwatch', 'contract');
const MAX_OUTPUT = 256 * 1024 * 1024;

/** What a command printed; it need not have succeeded. */
export interface Printed {
  code: number;
  text: string;
}

/** Runs a command to its end. @param env beside our own environment */
export async function command(
  file: string,
  args: string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Printed> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT };
    const { stdout, stderr } = await run(file, args, options);
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '', message } = error as Error & Partial<Record<string, string>>;
    return { code: Number(code) || 1, text: `${stdout}${stderr}` || message };
  }
}

async function succeed(...[file, args, options]: Parameters<typeof command>): Promise<void> {
  const { code, text } = await command(file, args, options);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed:\n${text}`);
}

/** A folder of tools for this list of versions; `make` fills it once. */
async function folderFor(list: string, make: (folder: string) => Promise<void>): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(join(SOURCE, list)))
    .digest('hex');
  const folder = join(CACHE, `${list.split('.')[0]}-${hash.slice(0, 12)}`);
  if (existsSync(join(folder, 'done'))) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await make(folder);
  await writeFile(join(folder, 'done'), '');
  return folder;
}

/**
 * The folder with the programs of a list of packages, in a virtual environment.
 *
 * @throws Error if there is no Python 3.10 or newer
 */
export async function pythonTools(list = 'requirements.txt'): Promise<string> {
  const { code, text } = await command('python3', [
    '-c',
    'import sys, venv; assert sys.version_info >= (3, 10)',
  ]);
  if (code !== 0) throw new Error(`These tests need Python 3.10 or newer, with venv:\n${text}`);
  const folder = await folderFor(list, async (made) => {
    await succeed('python3', ['-m', 'venv', made]);
    const pip = ['install', '--quiet', '--disable-pip-version-check', '-r', join(SOURCE, list)];
    await succeed(join(made, 'bin/pip'), pip);
  });
  return join(folder, 'bin');
}

/** The folder in which the packages of package.json are installed. */
export function nodeTools(): Promise<string> {
  return folderFor('package.json', async (folder) => {
    await copyFile(join(SOURCE, 'package.json'), join(folder, 'package.json'));
    await succeed('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
      cwd: folder,
    });
  });
}
