import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { isMongodOn } from './processes.js';

/** Milliseconds a mongod is given to end by itself; after that its journal has to do. */
const PATIENCE = 30_000;

/**
 * Stops a mongod that outlived the process which started it (`kill -9`). To be called by the folder's owner.
 * It is found by the number in mongod's own lock file, which says nothing until the process is looked at:
 * the file stays behind after a crash.
 */
export async function stopOrphan(dbPath: string, log: (line: string) => void): Promise<void> {
  const lock = await readFile(join(dbPath, 'mongod.lock'), 'utf8').catch(() => '');
  const pid = Number.parseInt(lock, 10);
  if (!(pid > 0) || !(await isMongodOn(dbPath, pid))) return;

  log(`stopping mongod ${pid}, left behind by a run that was killed`);
  signal(pid, 'SIGTERM');
  const deadline = performance.now() + PATIENCE;
  while (await isMongodOn(dbPath, pid)) {
    if (performance.now() > deadline) signal(pid, 'SIGKILL');
    await sleep(50);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}
