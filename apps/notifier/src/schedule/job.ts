import type { Clock } from '#platform';

/** What a job does; it calls `stopping` after each page, and ends when that is true. */
export type Work = (stopping: () => boolean) => Promise<unknown>;

/** What becomes of runs. */
export interface RunEvents {
  /** @returns called when the run has ended */
  began(): () => void;
  failed(error: unknown): void;
  abandoned(): void;
}

interface Run {
  /** Watches since it began, or since its last page. */
  idle: number;
  isAbandoned: boolean;
  ended: Promise<void>;
}

/** The time between two calls of {@link Job.watch}. Milliseconds. */
export const WATCH_MS = 5_000;

/**
 * A scheduled job: one run at a time. A run without progress is abandoned, and the next tick begins another; if the
 * abandoned one continues all the same, it ends after its page, and the leases keep it from writing.
 *
 * Time is counted in watches, so that a process that was frozen does not take itself for one at a standstill.
 */
export class Job {
  /** When a run last ended without an error. */
  finishedAt: Date | undefined;
  private run: Run | undefined;
  private idle = 0;
  private isStopping = false;

  /** @param idleLimitMs a run without progress for so long is abandoned */
  constructor(
    readonly name: string,
    private readonly work: Work,
    readonly idleLimitMs: number,
    private readonly events: RunEvents,
    private readonly clock: Clock,
  ) {}

  /** For how long no run has finished, nor made progress. Milliseconds. */
  get idleMs(): number {
    return this.idle * WATCH_MS;
  }

  /** Begins a run, unless one is in progress. @param work done in this run, if it is another than in the others */
  start(work = this.work): void {
    if (this.run || this.isStopping) return;
    const run: Run = { idle: 0, isAbandoned: false, ended: Promise.resolve() };
    this.run = run;
    run.ended = this.perform(run, work);
  }

  /** To be called every {@link WATCH_MS}. */
  watch(): void {
    this.idle += 1;
    const { run } = this;
    if (!run) return;
    run.idle += 1;
    if (run.idle * WATCH_MS < this.idleLimitMs) return;
    run.isAbandoned = true;
    this.run = undefined;
    this.events.abandoned();
  }

  /** Begins no further run; resolves when the one in progress has ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.run?.ended;
  }

  private async perform(run: Run, work: Work): Promise<void> {
    const end = this.events.began();
    try {
      await work(() => this.progressed(run));
      if (!run.isAbandoned) this.finished();
    } catch (error) {
      this.events.failed(error);
    } finally {
      end();
      if (this.run === run) this.run = undefined;
    }
  }

  private progressed(run: Run): boolean {
    run.idle = 0;
    if (!run.isAbandoned) this.idle = 0;
    return this.isStopping || run.isAbandoned;
  }

  private finished(): void {
    this.idle = 0;
    this.finishedAt = this.clock.now();
  }
}
