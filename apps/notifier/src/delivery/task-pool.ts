import { setTimeout as pause } from 'node:timers/promises';

/** Runs a limited number of tasks at once. A task that hangs takes one place and blocks no other task. */
export class TaskPool {
  private readonly running = new Set<Promise<void>>();
  /** Who waits for room. */
  private readonly waiting: (() => void)[] = [];
  private failed: { error: unknown } | undefined;

  constructor(private readonly size: number) {}

  get isIdle(): boolean {
    return this.running.size === 0;
  }

  /** Starts a task as soon as there is room. @throws what an earlier task threw. */
  async start(task: () => Promise<void>): Promise<void> {
    while (this.running.size >= this.size) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.throwFailure();
    const started = task()
      .catch((error: unknown) => {
        this.failed ??= { error };
      })
      .finally(() => {
        this.running.delete(started);
        for (const wake of this.waiting.splice(0)) wake();
      });
    this.running.add(started);
  }

  /** Waits until all have ended, at most for some milliseconds. @throws what an earlier task threw. */
  async untilIdle(ms: number): Promise<void> {
    const end = new AbortController();
    const timer = pause(ms, undefined, { signal: end.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.running), timer]);
    end.abort();
    this.throwFailure();
  }

  /** Waits until all have ended. @throws what one of them threw. */
  async all(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
    this.throwFailure();
  }

  private throwFailure(): void {
    if (this.failed) throw this.failed.error;
  }
}
