import { Readable } from 'node:stream';
import type { Notice } from './news.js';

/** Bytes that may wait for a client that does not read them. */
const MOST_WAITING = 64 * 1024;

/** What one page is sent: server-sent events, in order. It is cut off when it does not keep up. */
export class EventStream extends Readable {
  private behind = false;

  /** @param bottleId the bottle that the page shows. */
  constructor(readonly bottleId: string | undefined) {
    super({ highWaterMark: MOST_WAITING });
  }

  /**
   * Says these, in one piece.
   *
   * @param position the event id of the last of them: whoever has it has all before it, too.
   */
  tell(notices: readonly Notice[], position: string): void {
    if (this.destroyed || notices.length === 0) return;
    const events = notices.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n`);
    events.push(`id: ${position}\n${events.pop()}`);
    // the page comes back and goes on from its last id
    if (!this.push(`${events.join('\n')}\n`)) this.destroy();
  }

  /** Cuts off a client that has not read what was waiting for it the last time. */
  checkPace(): void {
    const waits = this.readableLength > 0;
    if (waits && this.behind) this.destroy();
    this.behind = waits;
  }

  override _read(): void {
    // what there is to say is said when it happens
  }
}
