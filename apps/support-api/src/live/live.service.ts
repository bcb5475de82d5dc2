import type { Change } from '#persistence';
import { Clock, Problem } from '#platform';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ChangeFeed, type FeedListener } from './change-feed.js';
import { EventStream } from './event-stream.js';
import { News, type Notice } from './news.js';
import { RecentNews } from './recent-news.js';

/** Pages are told at most this often, however much changes. */
const TELL_EVERY_MS = 1_000;
/** What changes together is told together. */
const GATHER_MS = 30;
const ALIVE_EVERY_MS = 15_000;
/** A page that comes while the feed is opening, or has seen more than this process has read, waits this long. */
const PATIENCE_MS = 5_000;

/** What a page that connects wants to know. */
export interface Asked {
  bottleId?: string | undefined;
  lastEventId?: string | undefined;
}

/** A page, and whether whoever looks at it may still do so: rejects with a Problem when not. */
type MayStay = () => Promise<unknown>;

/** Tells pages what has changed: reads the changes once and passes them on to all. */
@Injectable()
export class LiveService implements OnApplicationBootstrap, BeforeApplicationShutdown, FeedListener {
  private readonly pages = new Map<EventStream, MayStay>();
  private readonly recent = new RecentNews();
  private news = new News();
  private readUpTo = '';
  private state: 'opening' | 'open' | 'stopped' = 'opening';
  private waiting: (() => void)[] = [];
  private toldAt = -TELL_EVERY_MS;
  private telling: NodeJS.Timeout | undefined;
  private alive: NodeJS.Timeout | undefined;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.feed.start(this);
    this.alive = setInterval(() => this.sayAlive(), ALIVE_EVERY_MS).unref();
  }

  /** First of all: an open stream would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.state = 'stopped';
    this.moved();
    clearInterval(this.alive);
    this.cutAll();
    await this.feed.stop();
  }

  /**
   * A page's stream: first what it has missed, then what happens.
   *
   * @throws Problem 503 `events_unavailable`
   */
  async connect({ bottleId, lastEventId }: Asked, mayStay: MayStay): Promise<EventStream> {
    // what the page has been told by another process is behind it here, too
    await this.until(() => this.state === 'open' && (lastEventId ?? '') <= this.recent.position);
    if (this.state !== 'open') {
      throw Problem.unavailable(
        'events_unavailable',
        'Changes cannot be followed now. Read what you show again.',
        1,
      );
    }
    const page = new EventStream(bottleId);
    const token = this.recent.position;
    const notices: Notice[] = this.recent.since(lastEventId, this.clock.now()) ?? [
      { event: 'reset', data: {}, token },
    ];
    if (bottleId !== undefined) {
      // its heartbeats before now were perhaps not read
      if (this.feed.reads(bottleId)) notices.push({ event: 'bottle', data: { bottle_id: bottleId }, token });
      else this.feed.watch(new Set([...this.watched(), bottleId]));
    }
    page.tell(notices.length > 0 ? notices : [{ event: 'alive', data: {}, token }]);
    this.pages.set(page, mayStay);
    page.once('close', () => {
      this.pages.delete(page);
      this.feed.watch(this.watched());
    });
    return page;
  }

  opened(position: string, watched: readonly string[]): void {
    if (this.recent.position === '') this.recent.begin(position, this.clock.now());
    this.state = this.state === 'stopped' ? 'stopped' : 'open';
    this.readUpTo = position;
    this.moved();
    // who has begun to watch one of them was not told yet what came before
    for (const id of watched) this.news.bottles.add(id);
    if (!this.news.empty) this.tellSoon();
  }

  changed(change: Change): void {
    this.readUpTo = change.token;
    this.news.add(change);
    this.tellSoon();
  }

  quiet(position: string): void {
    this.readUpTo = position;
    if (!this.news.empty) return;
    this.recent.position = position;
    this.moved();
  }

  /** What is on the pages may be old from now on: they see it by the loss, and come back. */
  interrupted(): void {
    this.state = this.state === 'stopped' ? 'stopped' : 'opening';
    this.cutAll();
  }

  lost(): void {
    this.news = new News();
    this.recent.position = '';
  }

  private watched(): Set<string> {
    return new Set([...this.pages.keys()].flatMap(({ bottleId }) => bottleId ?? []));
  }

  /** Waits until it is so, or the patience is over. */
  private async until(isSo: () => boolean): Promise<void> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    limit.addEventListener('abort', () => this.moved());
    while (!limit.aborted && this.state !== 'stopped' && !isSo())
      await new Promise<void>((resolve) => void this.waiting.push(resolve));
  }

  /** Who waits looks again. */
  private moved(): void {
    for (const lookAgain of this.waiting.splice(0)) lookAgain();
  }

  private tellSoon(): void {
    const due = this.toldAt + TELL_EVERY_MS - performance.now();
    this.telling ??= setTimeout(() => this.tell(), Math.max(GATHER_MS, due));
  }

  private tell(): void {
    this.telling = undefined;
    this.toldAt = performance.now();
    if (this.state !== 'open') return;
    const { news } = this;
    this.news = new News();
    this.recent.keep(this.readUpTo, news.notices, this.clock.now());
    this.moved();
    for (const page of this.pages.keys()) {
      const own: Notice[] =
        page.bottleId !== undefined && news.bottles.has(page.bottleId)
          ? [{ event: 'bottle', data: { bottle_id: page.bottleId }, token: this.readUpTo }]
          : [];
      page.tell([...news.notices, ...own]);
    }
  }

  private sayAlive(): void {
    for (const [page, mayStay] of this.pages) {
      page.checkPace();
      mayStay().then(
        () => page.tell([{ event: 'alive', data: {}, token: this.recent.position }]),
        (error: unknown) => {
          if (error instanceof Problem) page.destroy();
        },
      );
    }
  }

  private cutAll(): void {
    for (const page of this.pages.keys()) page.destroy();
  }
}
