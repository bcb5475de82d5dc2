import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

import { isAlive, startOf } from './processes.js';

interface Owner {
  pid: number;
  /** When that process began: the number alone may have gone to another process since. */
  started?: string;
}

const TRIES = 10;

/**
 * Makes this process the only one that runs a mongod in the folder. The data itself is safe without it
 * (mongod locks its folder); this is for a clear message and for telling a neighbour from an orphan.
 * @returns gives the folder up again
 * @throws if the owner is alive
 */
export async function claimFolder(ownerFile: string): Promise<() => Promise<void>> {
  const mine = `${ownerFile}.${process.pid}`;
  const started = await startOf(process.pid);
  const owner: Owner = { pid: process.pid, ...(started && { started }) };
  const text = JSON.stringify(owner);
  await writeFile(mine, text);
  try {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      // A link, and not an exclusive open: the file appears with its content in it.
      if (await appears(mine, ownerFile)) return () => rm(ownerFile, { force: true });
      const found = await readFile(ownerFile, 'utf8').catch(() => undefined);
      if (found === undefined) continue;
      const holder = await livingOwner(found);
      if (holder) throw new Error(`DATA_DIR is in use by process ${holder.pid}`);
      await putAside(ownerFile, found);
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

async function livingOwner(text: string): Promise<Owner | undefined> {
  let owner: Owner;
  try {
    owner = JSON.parse(text) as Owner;
  } catch {
    return undefined; // torn by a power cut
  }
  if (!Number.isInteger(owner.pid) || owner.pid <= 0 || !(await isAlive(owner.pid))) return undefined;
  return owner.started === undefined || owner.started === (await startOf(owner.pid)) ? owner : undefined;
}

/** Removes a dead owner's file. Another start may have been quicker: then what was taken is theirs, put back. */
async function putAside(ownerFile: string, dead: string): Promise<void> {
  const aside = `${ownerFile}.dead.${process.pid}`;
  try {
    await rename(ownerFile, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== dead) await link(aside, ownerFile).catch(() => {});
  await rm(aside, { force: true });
}
