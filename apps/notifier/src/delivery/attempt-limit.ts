import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DeliveryError } from './channel.js';

/** How long shutdown waits for answers; the next notifier sends the rest again, under the same id. Milliseconds. */
const STOP_PATIENCE_MS = 5_000;

/** Ends attempts that take too long: each after a time limit, and all of them soon after a shutdown began. */
@Injectable()
export class AttemptLimit implements OnModuleDestroy {
  private readonly underway = new Set<AbortController>();

  /** The first hook of a shutdown: in the later ones the jobs already wait for the attempts. */
  onModuleDestroy(): void {
    setTimeout(() => {
      for (const attempt of this.underway) attempt.abort(new DeliveryError('the notifier stopped'));
    }, STOP_PATIENCE_MS).unref();
  }

  /**
   * Makes an attempt. Its signal aborts when the time is over, whatever the other side does meanwhile.
   *
   * @param limitMs from the start of the attempt, in milliseconds.
   * @throws DeliveryError when it was ended; otherwise what the attempt throws.
   */
  async run<T>(limitMs: number, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    // not AbortSignal.any() of AbortSignal.timeout(): on Node 20 it can be collected before it fires, and never does
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(new DeliveryError('no answer in time')), limitMs);
    const ended = new Promise<never>((_resolve, reject) => {
      // an attempt that heeds its signal knows more of its end: it goes first
      // eslint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is a DeliveryError
      signal.addEventListener('abort', () => setImmediate(() => reject(signal.reason)), { once: true });
    });
    this.underway.add(controller);
    try {
      return await Promise.race([ended, attempt(signal)]);
    } finally {
      clearTimeout(timer);
      this.underway.delete(controller);
    }
  }
}
