import { Injectable } from '@nestjs/common';
import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { Line } from './line.js';

/** A primary that takes longer is taken for gone. Milliseconds. */
const PATIENCE = 10_000;

/**
 * What a worker does together with the others on its port. A process that is no worker has none: it is ready when
 * it is ready, and waits for nobody.
 */
@Injectable()
export class Siblings {
  private readonly line = cluster.isWorker ? new Line(process) : undefined;

  /** Whether there are any. */
  get any(): boolean {
    return this.line !== undefined;
  }

  /** How the others are told whether this worker is ready. */
  answerReady(ready: () => Promise<boolean>): void {
    this.line?.onAsked('ready', ready);
  }

  /** Whether every worker is ready. */
  async allReady(): Promise<boolean> {
    return (await this.line?.ask('all ready', PATIENCE)) === true;
  }

  /** The metrics of this worker are a part of what {@link metrics} gives. */
  contribute(registry: Registry): void {
    if (!this.line) return;
    AggregatorRegistry.setRegistries(registry);
    // prom-client answers the primary's questions from here on
    void new AggregatorRegistry();
  }

  /** The metrics of all workers, added up; undefined when there are no others. */
  async metrics(): Promise<string | undefined> {
    return (await this.line?.ask('metrics', PATIENCE)) as string | undefined;
  }

  /** Waits until every worker has come to the same point of its stop. */
  async arrive(at: 'held' | 'closed'): Promise<void> {
    await this.line?.ask(at, PATIENCE);
  }
}
