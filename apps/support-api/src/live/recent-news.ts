import { type Notice, sayOnce } from './news.js';

/** So long a page may have been away, and is told what it missed. Milliseconds. */
const KEPT_MS = 10 * 60_000;
/** A page that comes for the first time has read what it shows within this time. Milliseconds. */
const JUST_READ_MS = 30_000;
/** Whoever has missed more than this reads everything again. */
const MOST_MISSED = 200;

interface Told extends Notice {
  /** Epoch milliseconds. */
  at: number;
}

/** What was told lately, for pages that had lost their connection, be it to this process or to another. */
export class RecentNews {
  private readonly told = new Map<string, Told>();
  /** What came later than this token is known. */
  private from = { token: '', at: 0 };
  /** Up to here everything has been told. */
  position = '';

  /** Nothing before this is known. */
  begin(position: string, now: Date): void {
    this.told.clear();
    this.from = { token: position, at: now.getTime() };
    this.position = position;
  }

  keep(until: string, notices: readonly Notice[], now: Date): void {
    this.position = until;
    for (const notice of notices) sayOnce(this.told, { ...notice, at: now.getTime() });
    const old = now.getTime() - KEPT_MS;
    for (const [text, { token, at }] of this.told) {
      if (at >= old) break;
      this.told.delete(text);
      this.from = { token, at };
    }
  }

  /**
   * What a page has missed that has seen everything up to a token, or that has just read all it shows.
   *
   * @returns undefined when that is not known any more, or too much.
   */
  since(token: string | undefined, now: Date): Notice[] | undefined {
    const justRead = now.getTime() - JUST_READ_MS;
    if (token === undefined ? this.from.at > justRead : token < this.from.token) return undefined;
    const missed = [...this.told.values()].filter((told) =>
      token === undefined ? told.at >= justRead : told.token > token,
    );
    return missed.length > MOST_MISSED ? undefined : missed;
  }
}
