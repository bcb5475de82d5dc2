import { Readable } from 'node:stream';
import type { Notice } from './news.js';

/** Bytes that may wait for a client that does not read them, before there is more to say. */
const MOST_WAITING = 64 * 1024;

/** What one page is sent: server-sent events, in order. It is cut off when it does not keep up. */
export class EventStream extends Readable {
  private behind = false;

  /** @param bottleId the bottle that the page shows. */
  constructor(readonly bottleId: string | undefined) {
    super();
  }

  /** Says these, in the order of their tokens. */
  tell(notices: readonly Notice[]): void {
    if (this.destroyed || notices.length === 0) return;
    // the page comes back and goes on from its last id
    if (this.readableLength > MOST_WAITING) return void this.destroy();
    const events = notices.map(({ event, data, token }, index) => {
      // of what one change has brought the last has its id: a page that is cut off in between is told all of it again
      const id = token === notices[index + 1]?.token ? '' : `id: ${token}\n`;
      return `${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    });
    this.push(events.join(''));
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
