import { setTimeout as pause } from 'node:timers/promises';

/** Runs tasks, so many at once. One that hangs takes its place and holds up nothing else. */
export class TaskWindow {
  private readonly underway = new Set<Promise<void>>();
  private failed: { error: unknown } | undefined;

  constructor(private readonly atOnce: number) {}

  get isIdle(): boolean {
    return this.underway.size === 0;
  }

  /** Starts a task, as soon as there is room for it. @throws what an earlier task threw. */
  async start(task: () => Promise<void>): Promise<void> {
    while (this.underway.size >= this.atOnce) await Promise.race(this.underway);
    this.throwFailure();
    const running = task()
      .catch((error: unknown) => {
        this.failed ??= { error };
      })
      .finally(() => this.underway.delete(running));
    this.underway.add(running);
  }

  /** Waits until all have ended, at most for some milliseconds. @throws what an earlier task threw. */
  async untilIdle(ms: number): Promise<void> {
    const end = new AbortController();
    const timer = pause(ms, undefined, { signal: end.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.underway), timer]);
    end.abort();
    this.throwFailure();
  }

  /** Waits until all have ended. @throws what one of them threw. */
  async all(): Promise<void> {
    while (this.underway.size > 0) await Promise.race(this.underway);
    this.throwFailure();
  }

  private throwFailure(): void {
    if (this.failed) throw this.failed.error;
  }
}
