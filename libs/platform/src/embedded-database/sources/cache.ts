import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type MongodBinary, type SourceContext, verifyMongod } from '../mongod-binary.js';
import { oneLine } from '../run.js';

const PARTIAL = '.partial-';
/** An unfinished download that is older belongs to a process that was killed. */
const PARTIAL_LIFETIME = 60 * 60 * 1000;

/** A mongod fetched by an earlier start: `<cacheDir>/<where from and version>/mongod`. */
export async function findInCache({ cacheDir, log }: SourceContext): Promise<MongodBinary> {
  const folders = await readdir(cacheDir).catch(() => []);
  for (const folder of folders.filter((name) => !name.startsWith('.')).sort()) {
    try {
      return await verifyMongod(join(cacheDir, folder, 'mongod'));
    } catch (error) {
      log(`${join(cacheDir, folder)} is skipped: ${oneLine(error)}`);
    }
  }
  throw new Error('empty');
}

/**
 * Calls `fetch` with a folder of its own and moves the mongod into the cache, atomically, once it runs: two processes
 * that fetch at once both end with a complete file.
 */
export async function addToCache(
  cacheDir: string,
  name: string,
  fetch: (folder: string) => Promise<string>,
): Promise<MongodBinary> {
  await mkdir(cacheDir, { recursive: true });
  const partial = await mkdtemp(join(cacheDir, PARTIAL));
  try {
    await removeAbandoned(cacheDir, partial);
    const fetched = await fetch(partial);
    const { version } = await verifyMongod(fetched);
    const path = join(cacheDir, name, 'mongod');
    await mkdir(join(cacheDir, name), { recursive: true });
    await rename(fetched, path);
    return { path, version };
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function removeAbandoned(cacheDir: string, fresh: string): Promise<void> {
  const { mtimeMs: now } = await stat(fresh);
  for (const entry of await readdir(cacheDir)) {
    if (!entry.startsWith(PARTIAL)) continue;
    const path = join(cacheDir, entry);
    const age = await stat(path).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0, // its owner has just removed it
    );
    if (age > PARTIAL_LIFETIME) await rm(path, { recursive: true, force: true });
  }
}
