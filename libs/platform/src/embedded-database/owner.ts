import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { isAlive, isMongodOn, startOf } from './processes.js';

interface Owner {
  pid: number;
  /** The start of that process; the process id alone may belong to another process by now. */
  started?: string;
}

const ATTEMPTS = 10;
/** Milliseconds until SIGTERM is followed by SIGKILL; the journal protects the data. */
const TERMINATION_TIMEOUT = 30_000;

/**
 * Makes this process the only one that runs a mongod in the folder. mongod itself locks its data; this gives a clear
 * error message and distinguishes another process's mongod from an orphan.
 * @returns a function that releases the folder
 * @throws if the owner is alive
 */
export async function claimFolder(ownerFile: string): Promise<() => Promise<void>> {
  const mine = `${ownerFile}.${process.pid}`;
  const started = await startOf(process.pid);
  const owner: Owner = { pid: process.pid, ...(started && { started }) };
  const text = JSON.stringify(owner);
  await writeFile(mine, text);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // a link instead of an exclusive open: the file appears with its content
      if (await appears(mine, ownerFile)) return () => rm(ownerFile, { force: true });
      const found = await readFile(ownerFile, 'utf8').catch(() => undefined);
      if (found === undefined) continue;
      const holder = await livingOwner(found);
      if (holder) throw new Error(`DATA_DIR is in use by process ${holder.pid}`);
      await removeDeadOwner(ownerFile, found);
    }
  } finally {
    await rm(mine, { force: true });
  }
  throw new Error(`DATA_DIR cannot be claimed: ${ownerFile} keeps changing`);
}

function appears(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Whether a process that lives runs a mongod in the folder. */
export async function isOwned(ownerFile: string): Promise<boolean> {
  const found = await readFile(ownerFile, 'utf8').catch(() => '');
  return (await livingOwner(found)) !== undefined;
}

async function livingOwner(text: string): Promise<Owner | undefined> {
  let owner: Owner;
  try {
    owner = JSON.parse(text) as Owner;
  } catch {
    return undefined; // incomplete after a power failure
  }
  if (!Number.isInteger(owner.pid) || owner.pid <= 0 || !(await isAlive(owner.pid))) return undefined;
  return owner.started === undefined || owner.started === (await startOf(owner.pid)) ? owner : undefined;
}

/** Removes a dead owner's file. If another process has replaced it meanwhile, restores that process's file. */
async function removeDeadOwner(ownerFile: string, dead: string): Promise<void> {
  const renamed = `${ownerFile}.dead.${process.pid}`;
  try {
    await rename(ownerFile, renamed);
  } catch {
    return;
  }
  if ((await readFile(renamed, 'utf8')) !== dead) await link(renamed, ownerFile).catch(() => {});
  await rm(renamed, { force: true });
}

/**
 * Stops a mongod that outlived the process that started it (`kill -9`). Only the folder's owner may call this.
 * The process id comes from mongod's lock file, which remains after a crash, so the process itself is checked.
 */
export async function stopOrphan(dbPath: string, log: (line: string) => void): Promise<void> {
  const lock = await readFile(join(dbPath, 'mongod.lock'), 'utf8').catch(() => '');
  const pid = Number.parseInt(lock, 10);
  if (!(pid > 0) || !(await isMongodOn(dbPath, pid))) return;

  log(`stopping mongod ${pid}, which outlived the process that started it`);
  signal(pid, 'SIGTERM');
  const deadline = performance.now() + TERMINATION_TIMEOUT;
  while (await isMongodOn(dbPath, pid)) {
    if (performance.now() > deadline) signal(pid, 'SIGKILL');
    await sleep(50);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has just exited
  }
}
