import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadResult } from './load.js';

/** The process that sends. It goes through the fleet from order to order, so that no heartbeat comes twice. */
export class LoadProcess {
  private sent = 0;

  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<LoadProcess> {
    const child = fork(new URL('../load/load-process.js', import.meta.url));
    await once(child, 'message');
    return new LoadProcess(child);
  }

  async run(order: Omit<LoadOrder, 'from'>): Promise<LoadResult> {
    const answer = once(this.child, 'message') as Promise<[LoadResult]>;
    this.child.send({ ...order, from: this.sent });
    const [result] = await answer;
    this.sent += result.sent;
    return result;
  }

  stop(): void {
    this.child.kill();
  }
}

/** Requests that were answered with 2xx. */
export function acknowledged({ statuses }: LoadResult): number {
  return Object.entries(statuses)
    .filter(([status]) => status.startsWith('2'))
    .reduce((sum, [, count]) => sum + count, 0);
}
