import { Global, Injectable, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Server } from 'node:http';
import { Siblings } from '../workers/siblings.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long keep-alive clients are told to go before the server stops listening. */
const LAME_DUCK_MS = 1_000;
/**
 * Between two looks whether anybody has come: whoever was answered just before comes back in this time, on a busy
 * machine too, and a worker gets its connections from the primary. Milliseconds.
 */
const LOOK_MS = 40;
/** So many looks without a new connection, and none is waiting. */
const QUIET_LOOKS = 3;
const MOST_LOOKS = 25;

/**
 * Knows whether the service is on its way out. While it is, readiness is false and every answer carries
 * `connection: close`, but requests are still served: none that was accepted fails.
 */
@Injectable()
export class Lifecycle implements BeforeApplicationShutdown {
  /** True from the first moment of an orderly stop. */
  stopping = false;
  /** True once the HTTP server listens: an app that never did has nobody to wait for. */
  listening = false;
  /** Requests that wait for the listener to close; undefined while they need not. */
  private held: (() => void)[] | undefined;

  constructor(private readonly siblings: Siblings) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.listening) await sleep(LAME_DUCK_MS);
  }

  /** Lets a request go on, now or when the listener is closed. */
  admit(goOn: () => void): void {
    if (this.held) this.held.push(goOn);
    else goOn();
  }

  /**
   * Closes the listener and loses no connection. Node takes in one connection a turn of its loop; under load the
   * others wait in the system's queue, and closing the listener would reset them (38 of 40 clients, measured).
   * So nothing is answered, and hence nobody comes back, until the queue is empty and those have come who were
   * answered before.
   * Workers share a queue, so all of them hold, then all close, and then all go on.
   */
  async stopListening(server: Server): Promise<void> {
    if (!server.listening) return;
    this.held = [];
    await this.siblings.arrive('held');
    let quiet = 0;
    const onConnection = (): void => void (quiet = 0);
    server.on('connection', onConnection);
    for (let looks = 0; quiet < QUIET_LOOKS && looks < MOST_LOOKS; looks += 1) {
      quiet += 1;
      await sleep(LOOK_MS);
    }
    // in the very turn that found nobody
    server.close();
    server.off('connection', onConnection);
    await this.siblings.arrive('closed');
    const held = this.held;
    this.held = undefined;
    for (const goOn of held) goOn();
  }
}

@Global()
@Module({ providers: [Lifecycle, Siblings], exports: [Lifecycle, Siblings] })
export class LifecycleModule {}
