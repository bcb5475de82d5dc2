import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Attempt } from '../receiver/receiver.js';

/** A webhook receiver in a process of its own. */
export class ReceiverProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<ReceiverProcess> {
    const child = fork(new URL('../receiver/receiver.js', import.meta.url));
    const [url] = (await once(child, 'message')) as [string];
    return new ReceiverProcess(child, url);
  }

  /** What came in since it was last asked. */
  async take(): Promise<Attempt[]> {
    const answer = once(this.child, 'message') as Promise<[Attempt[]]>;
    this.child.send('take');
    return (await answer)[0];
  }

  stop(): void {
    this.child.kill();
  }
}
