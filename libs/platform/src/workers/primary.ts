import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { ServiceLogger } from '../logs/service-logger.js';
import { WorkerChannel } from './worker-channel.js';
import { SHUTDOWN_STEPS } from './worker-group.js';

/** A worker that does not respond within this time is not ready. */
const TIMEOUT_MS = 5_000;
const MAX_PAUSE_MS = 30_000;

interface RunningWorker {
  channel: WorkerChannel;
  place: number;
  listening: boolean;
}

/** Releases the workers that wait at one step of the shutdown. */
type Barrier = (() => void)[];

/**
 * Runs this script as several workers on one port and replaces each that dies. A request for `/health/ready` or
 * `/metrics` reaches one worker, which asks the primary about all of them.
 */
export class Primary {
  private readonly logger = new ServiceLogger('Workers');
  private readonly metrics = new AggregatorRegistry();
  private readonly running = new Map<Worker, RunningWorker>();
  private readonly barriers = new Map<string, Barrier>();
  private stopping = false;
  private everListened = false;
  /** Consecutive workers that ended without having listened. */
  private failedStarts = 0;
  private failedStops = 0;

  private constructor(private readonly count: number) {}

  /** @throws if a worker ends before any of them has listened; the worker has logged the reason. */
  static async start(count: number): Promise<Primary> {
    const primary = new Primary(count);
    await primary.begin();
    return primary;
  }

  /** Stops all workers. @throws if one of them did not exit with code 0. */
  async close(): Promise<void> {
    this.stopping = true;
    const exits = [...this.running].map(async ([worker, { channel }]) => {
      const exited = once(worker, 'exit');
      void channel.request('stop', TIMEOUT_MS);
      await exited;
    });
    await Promise.all(exits);
    if (this.failedStops > 0)
      throw new Error(`${this.failedStops} of ${this.count} workers did not stop cleanly`);
  }

  /** Resolves when the first worker listens; `/health/ready` reports on the rest. */
  private begin(): Promise<void> {
    // Each worker accepts connections itself. With Node's default the primary accepts and passes them on, and a
    // connection that is on its way to a worker that dies is lost: its client waits for ever (4 of 25 kills under load).
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    return new Promise((resolve, reject) => {
      cluster.on('listening', (worker) => {
        const running = this.running.get(worker);
        if (running) running.listening = true;
        this.everListened = true;
        this.failedStarts = 0;
        resolve();
      });
      cluster.on('exit', (worker, code: number | null, signal: string | null) => {
        const { place } = this.running.get(worker)!;
        this.running.delete(worker);
        this.checkBarriers();
        if (this.stopping) this.failedStops += code === 0 ? 0 : 1;
        else if (this.everListened) void this.replace(worker, place, signal ?? `code ${code}`);
        else reject(new Error('No worker could start.'));
      });
      for (let place = 0; place < this.count; place += 1) this.fork(place);
    });
  }

  private fork(place: number): void {
    const worker = cluster.fork();
    const channel = new WorkerChannel(worker);
    channel.handle('place', () => place);
    channel.handle('all ready', () => this.allReady());
    channel.handle('metrics', () => this.metrics.clusterMetrics());
    for (const step of SHUTDOWN_STEPS) channel.handle(step, () => this.waitForAll(step));
    this.running.set(worker, { channel, place, listening: false });
  }

  private async replace(worker: Worker, place: number, reason: string): Promise<void> {
    const pause = this.failedStarts === 0 ? 0 : Math.min(MAX_PAUSE_MS, 500 * 2 ** this.failedStarts);
    this.failedStarts += 1;
    this.logger.warn(`worker ${worker.process.pid} exited (${reason}); starting another in ${pause} ms`);
    await sleep(pause);
    if (!this.stopping) this.fork(place);
  }

  private async allReady(): Promise<boolean> {
    const ready = await Promise.all(
      [...this.running.values()].map(({ channel }) => channel.request('ready', TIMEOUT_MS)),
    );
    return ready.length === this.count && ready.every((isReady) => isReady === true);
  }

  private waitForAll(step: string): Promise<void> {
    const barrier = this.barriers.get(step) ?? [];
    this.barriers.set(step, barrier);
    return new Promise((resolve) => {
      barrier.push(resolve);
      this.checkBarriers();
    });
  }

  /** Opens each barrier that every listening worker has reached; workers that died or never listened do not count. */
  private checkBarriers(): void {
    const expected = [...this.running.values()].filter(({ listening }) => listening).length;
    for (const barrier of this.barriers.values())
      if (barrier.length >= expected) for (const release of barrier) release();
  }
}
