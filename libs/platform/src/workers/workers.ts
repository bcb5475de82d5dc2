import { ConsoleLogger } from '@nestjs/common';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { Line } from './line.js';

/** A worker that does not answer within this time is not ready. Milliseconds. */
const PATIENCE = 5_000;
const LONGEST_PAUSE_MS = 30_000;

interface Running {
  line: Line;
  listening: boolean;
}

/** Who waits at a point of the stop, until the others have come there too. */
type Gathering = (() => void)[];

/**
 * Runs this script as so many workers on one port. One that dies is replaced. The workers answer for all of them:
 * `/health/ready` and `/metrics` come to one, which asks here.
 */
export class Workers {
  private readonly logger = new ConsoleLogger('Workers', { json: !process.stdout.isTTY });
  private readonly metrics = new AggregatorRegistry();
  private readonly running = new Map<Worker, Running>();
  private readonly gatherings = new Map<string, Gathering>();
  private stopping = false;
  private everListened = false;
  /** Ends without having listened, one after the other. */
  private failures = 0;
  private failed = 0;

  private constructor(private readonly count: number) {}

  /** @throws when a worker ends before any of them has listened: it has said why. */
  static async start(count: number): Promise<Workers> {
    const workers = new Workers(count);
    await workers.begin();
    return workers;
  }

  /** Stops all of them in order. @throws when one did not end in order. */
  async close(): Promise<void> {
    this.stopping = true;
    const ends = [...this.running].map(async ([worker, { line }]) => {
      const ended = once(worker, 'exit');
      void line.ask('stop', PATIENCE);
      await ended;
    });
    await Promise.all(ends);
    if (this.failed > 0) throw new Error(`${this.failed} of ${this.count} workers did not stop in order`);
  }

  /** Resolves when the first one listens: from then on the service is there, and `/health/ready` tells the rest. */
  private begin(): Promise<void> {
    // each worker accepts for itself. Node's default, where the primary accepts and hands the connection on, forgets
    // what was on its way to a worker that died: such a client waits for ever (four of 25 kills under load)
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    return new Promise((resolve, reject) => {
      cluster.on('listening', (worker) => {
        const known = this.running.get(worker);
        if (known) known.listening = true;
        this.everListened = true;
        this.failures = 0;
        resolve();
      });
      cluster.on('exit', (worker, code: number | null, signal: string | null) => {
        this.running.delete(worker);
        this.checkGatherings();
        if (this.stopping) this.failed += code === 0 ? 0 : 1;
        else if (this.everListened) void this.replace(worker, signal ?? `code ${code}`);
        else reject(new Error('No worker could start, so the service does not.'));
      });
      for (let index = 0; index < this.count; index += 1) this.fork();
    });
  }

  private fork(): void {
    const worker = cluster.fork();
    const line = new Line(worker);
    line.onAsked('all ready', () => this.allReady());
    line.onAsked('metrics', () => this.metrics.clusterMetrics());
    for (const point of ['held', 'closed']) line.onAsked(point, () => this.gather(point));
    this.running.set(worker, { line, listening: false });
  }

  private async replace(worker: Worker, how: string): Promise<void> {
    const pause = this.failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.failures);
    this.failures += 1;
    this.logger.warn(`worker ${worker.process.pid} ended (${how}); another takes its place in ${pause} ms`);
    await sleep(pause);
    if (!this.stopping) this.fork();
  }

  private async allReady(): Promise<boolean> {
    const answers = await Promise.all(
      [...this.running.values()].map(({ line }) => line.ask('ready', PATIENCE)),
    );
    return answers.length === this.count && answers.every((answer) => answer === true);
  }

  private gather(point: string): Promise<void> {
    const gathering = this.gatherings.get(point) ?? [];
    this.gatherings.set(point, gathering);
    return new Promise((resolve) => {
      gathering.push(resolve);
      this.checkGatherings();
    });
  }

  /** One that has died is not waited for; one that never listened has nobody to wait for. */
  private checkGatherings(): void {
    const expected = [...this.running.values()].filter(({ listening }) => listening).length;
    for (const gathering of this.gatherings.values())
      if (gathering.length >= expected) for (const goOn of gathering) goOn();
  }
}
