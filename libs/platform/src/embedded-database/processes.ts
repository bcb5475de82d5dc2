import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { run } from './run.js';

const PS_TIMEOUT = 5_000;

/** False for a zombie too: its parent may never reap it. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const stat = await procStat(pid);
  return stat?.state !== 'Z' && stat?.state !== 'X';
}

/** Distinguishes a process from a later one with the same id; undefined if the system does not know. */
export async function startOf(pid: number): Promise<string | undefined> {
  const stat = await procStat(pid);
  if (stat) {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return `${boot.trim()}:${stat.start}`;
  }
  const listed = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: PS_TIMEOUT }).catch(
    () => '',
  );
  return listed.trim() || undefined;
}

/** Whether this process is a mongod on this folder. */
export async function isMongodOn(dbPath: string, pid: number): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (line) => line.split('\0'),
    () => undefined,
  );
  if (args) {
    return basename(args[0] ?? '').startsWith('mongod') && args[args.indexOf('--dbpath') + 1] === dbPath;
  }
  const line = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { timeout: PS_TIMEOUT }).catch(
    () => '',
  );
  return line.includes('mongod') && `${line.trim()} `.includes(`--dbpath ${dbPath} `);
}

/** `/proc/<pid>/stat`; undefined where there is no /proc or no such process. */
async function procStat(pid: number): Promise<{ state: string; start: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // the second field is the command in brackets, which may contain spaces and brackets
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state && start ? { state, start } : undefined;
}
