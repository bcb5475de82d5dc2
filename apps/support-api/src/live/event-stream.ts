import { Readable } from 'node:stream';
import type { Notice } from './notices.js';

/** Bytes that may wait for a slow client before more are added. */
const MAX_WAITING = 64 * 1024;

/** The server-sent events of one page, in order. A client that does not keep up is disconnected. */
export class EventStream extends Readable {
  private behind = false;

  /** @param bottleId of the bottle that the page shows */
  constructor(readonly bottleId: string | undefined) {
    super();
  }

  /** Sends notices, which are ordered by token. */
  notify(notices: readonly Notice[]): void {
    if (this.destroyed || notices.length === 0) return;
    // the page reconnects and resumes from its last id
    if (this.readableLength > MAX_WAITING) return void this.destroy();
    const events = notices.map(({ event, data, token }, index) => {
      // of the events of one change only the last has an id: a page that is disconnected in between gets all of them again
      const id = token === notices[index + 1]?.token ? '' : `id: ${token}\n`;
      return `${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    });
    this.push(events.join(''));
  }

  /** Disconnects a client that has had unread data since the last check. */
  checkPace(): void {
    const waits = this.readableLength > 0;
    if (waits && this.behind) this.destroy();
    this.behind = waits;
  }

  override _read(): void {
    // events are pushed when they happen
  }
}
