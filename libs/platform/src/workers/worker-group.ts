import { Injectable } from '@nestjs/common';
import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { WorkerChannel } from './worker-channel.js';

/** A primary that takes longer counts as dead. */
const TIMEOUT_MS = 10_000;

/**
 * What a worker does together with the other workers of its port. In a process that is no worker, `exists` is false
 * and nothing here waits.
 */
@Injectable()
export class WorkerGroup {
  private readonly channel = cluster.isWorker ? new WorkerChannel(process) : undefined;

  get exists(): boolean {
    return this.channel !== undefined;
  }

  /** The number of this worker among those of its port; whoever replaces it takes it over. Undefined if it is no worker. */
  async place(): Promise<number | undefined> {
    return (await this.channel?.request('place', TIMEOUT_MS)) as number | undefined;
  }

  /** Registers the function that reports whether this worker is ready. */
  reportReadiness(isReady: () => Promise<boolean>): void {
    this.channel?.handle('ready', isReady);
  }

  async allReady(): Promise<boolean> {
    return (await this.channel?.request('all ready', TIMEOUT_MS)) === true;
  }

  /** Adds this worker's metrics to those that {@link metrics} returns. */
  contribute(registry: Registry): void {
    if (!this.channel) return;
    AggregatorRegistry.setRegistries(registry);
    // from here on, prom-client answers the primary's requests
    void new AggregatorRegistry();
  }

  /** The sum of all workers' metrics; undefined if this process is no worker. */
  async metrics(): Promise<string | undefined> {
    return (await this.channel?.request('metrics', TIMEOUT_MS)) as string | undefined;
  }

  /** Waits until every worker has reached the same step of its shutdown. */
  async arriveAt(step: ShutdownStep): Promise<void> {
    await this.channel?.request(step, TIMEOUT_MS);
  }
}

/** `requests held`: responses wait. `port closed`: the listener is closed. */
export type ShutdownStep = (typeof SHUTDOWN_STEPS)[number];
export const SHUTDOWN_STEPS = ['requests held', 'port closed'] as const;
