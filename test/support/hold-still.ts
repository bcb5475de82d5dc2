import { readFile, readdir } from 'node:fs/promises';
import { eventually } from './eventually.js';

/**
 * Stops a process, to go on at `SIGCONT`, and waits until each of its threads stands still: `kill` comes back
 * as soon as the signal is noted, and threads that run meanwhile may still answer what they are asked.
 *
 * Reads /proc, so it needs Linux.
 */
export async function holdStill(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const allStopped = async (): Promise<void> => {
    const running = (await threadStates(pid)).filter((state) => state !== 'T');
    if (running.length > 0) throw new Error(`${running.length} threads of ${pid} still run`);
  };
  await eventually(allStopped, 10_000, 5);
}

/** The states of its threads, as in `ps`: T is stopped. */
async function threadStates(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lines = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')));
  // the name before the state stands in brackets, and may hold anything
  return lines.map((line) => line.charAt(line.lastIndexOf(')') + 2));
}
