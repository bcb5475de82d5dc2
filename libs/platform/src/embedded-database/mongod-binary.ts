import { run } from './run.js';

/** A mongod that runs on this machine. */
export interface MongodBinary {
  path: string;
  /** Such as `6.0.5`. */
  version: string;
}

/** Generous, for the first run of a 140 MB file from a slow disk. */
const VERSION_TIMEOUT = 30_000;

/** Runs `mongod --version`: a missing library, a wrong architecture or a missing CPU feature shows here. */
export async function verifyMongod(path: string): Promise<MongodBinary> {
  const output = await run(path, ['--version'], { timeout: VERSION_TIMEOUT });
  const version = /db version v(\S+)/.exec(output)?.[1];
  if (!version) throw new Error(`${path} is not a mongod: it prints no version`);
  return { path, version };
}

/** What a source of mongod binaries works with. */
export interface SourceContext {
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}
