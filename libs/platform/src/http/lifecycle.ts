import { Global, Injectable, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long keep-alive clients are told to go before the server stops listening. */
const LAME_DUCK_MS = 1_000;

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

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.listening) await sleep(LAME_DUCK_MS);
  }
}

@Global()
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}
