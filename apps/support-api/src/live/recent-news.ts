import type { Notice } from './news.js';

/** So long a page may have been away, and is told what it missed. Milliseconds. */
const KEPT_MS = 10 * 60_000;
/** A page that comes for the first time has read what it shows within this time. Milliseconds. */
const JUST_READ_MS = 30_000;
/** Whoever has missed more than this reads everything again. */
const MOST_MISSED = 200;

interface Bulletin {
  /** The notices come up to this token, that of the bulletin before excluded. */
  until: string;
  at: number;
  notices: readonly Notice[];
}

/** What was told lately, for pages that had lost their connection, be it to this process or to another. */
export class RecentNews {
  private bulletins: Bulletin[] = [];
  /** What came later than this token is known. */
  private from = { token: '', at: 0 };
  /** Up to here everything has been told. */
  position = '';

  /** Nothing before this is known. */
  begin(position: string, now: Date): void {
    this.bulletins = [];
    this.from = { token: position, at: now.getTime() };
    this.position = position;
  }

  keep(until: string, notices: readonly Notice[], now: Date): void {
    this.position = until;
    if (notices.length > 0) this.bulletins.push({ until, at: now.getTime(), notices });
    const old = now.getTime() - KEPT_MS;
    while (this.bulletins[0] && this.bulletins[0].at < old) {
      const { until: token, at } = this.bulletins.shift()!;
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
    const missed = this.bulletins.filter(({ until, at }) =>
      token === undefined ? at >= justRead : until > token,
    );
    const notices = new Map(
      missed.flatMap(({ notices }) => notices.map((notice) => [JSON.stringify(notice), notice])),
    );
    return notices.size > MOST_MISSED ? undefined : [...notices.values()];
  }
}
