import { Global, Injectable, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Server } from 'node:http';
import { AllowedMethods } from './allowed-methods.js';
import { WorkerGroup } from '../workers/worker-group.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long keep-alive clients are asked to close their connections before the server stops listening. */
const LAME_DUCK_MS = 1_000;
/**
 * The interval of the checks for new connections. A client that has just been answered reconnects within it, on a busy
 * machine too, and a worker gets its connections from the primary.
 */
const POLL_MS = 40;
/** After this many checks without a new connection, none is waiting. */
const QUIET_POLLS = 3;
const MAX_POLLS = 25;

/**
 * Tracks an orderly shutdown. During it, readiness is false and every response carries `connection: close`, but
 * requests are still served: no accepted request fails.
 */
@Injectable()
export class Lifecycle implements BeforeApplicationShutdown {
  /** True from the start of the shutdown. */
  stopping = false;
  /** True once the HTTP server listens; an app that never listened has no clients to wait for. */
  listening = false;
  /** Requests that wait until the listener is closed; undefined when requests need not wait. */
  private held: (() => void)[] | undefined;

  constructor(private readonly workers: WorkerGroup) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.listening) await sleep(LAME_DUCK_MS);
  }

  /** Calls `proceed` now, or when the listener is closed. */
  admit(proceed: () => void): void {
    if (this.held) this.held.push(proceed);
    else proceed();
  }

  /**
   * Closes the listener without losing a connection. Node accepts one connection per turn of its event loop; under
   * load the others wait in the kernel's queue, and closing the listener resets them (38 of 40 clients, measured).
   * So no request is answered, and no client reconnects, until the queue is empty.
   * Workers share the queue: all of them hold their requests, then all close, then all proceed.
   */
  async stopListening(server: Server): Promise<void> {
    if (!server.listening) return;
    this.held = [];
    await this.workers.arriveAt('requests held');
    let quiet = 0;
    const onConnection = (): void => void (quiet = 0);
    server.on('connection', onConnection);
    for (let polls = 0; quiet < QUIET_POLLS && polls < MAX_POLLS; polls += 1) {
      quiet += 1;
      await sleep(POLL_MS);
    }
    // in the same turn as the last check
    server.close();
    server.off('connection', onConnection);
    await this.workers.arriveAt('port closed');
    const held = this.held;
    this.held = undefined;
    for (const proceed of held) proceed();
  }
}

@Global()
@Module({ providers: [AllowedMethods, Lifecycle, WorkerGroup], exports: [Lifecycle, WorkerGroup] })
export class LifecycleModule {}
