import type { Change } from '#persistence';
import { Clock, Problem } from '#platform';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { FleetService } from '../fleet/fleet.service.js';
import { ChangeFeed, type FeedListener } from './change-feed.js';
import { EventStream } from './event-stream.js';
import { type Notice, PendingNotices, RecentNotices } from './notices.js';

/** Pages are notified at most this often, however much changes. */
const SEND_EVERY_MS = 1_000;
/** Changes within this time are sent together. */
const GATHER_MS = 30;
const ALIVE_EVERY_MS = 15_000;
/**
 * How long a page waits while the feed opens, or while this process has read less than the page has seen. An id that lies
 * ahead even then is of another database, as after a restore.
 */
const CONNECT_TIMEOUT_MS = 5_000;

/** Of these the fleet has counts. */
const COUNTED: readonly Notice['event'][] = ['alert', 'fleet'];

/** What a page asks for when it connects. */
export interface Subscription {
  bottleId?: string | undefined;
  lastEventId?: string | undefined;
}

/** Pages of this process, and of one session or API key: a browser has one for each of its visible tabs. */
export const MAX_PAGES = 1_000;
export const MAX_PAGES_PER_SESSION = 20;

/** Whose pages they are. */
export interface Viewer {
  /** Of the session or the API key. */
  id: string;
  /** Checks that the user may still see the page: rejects with a Problem if not. */
  authorize: () => Promise<unknown>;
}

/** Notifies pages of changes: reads the change feed once and passes it on to all of them. */
@Injectable()
export class LiveService implements OnApplicationBootstrap, BeforeApplicationShutdown, FeedListener {
  private readonly pages = new Map<EventStream, Viewer>();
  /** Pages by viewer, with those that wait for the feed. */
  private readonly counts = new Map<string, number>();
  private readonly recent = new RecentNotices();
  private pending = new PendingNotices();
  private readUpTo = '';
  private state: 'opening' | 'open' | 'stopped' = 'opening';
  private waiting: (() => void)[] = [];
  private sentAt = -SEND_EVERY_MS;
  private sendTimer: NodeJS.Timeout | undefined;
  private aliveTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly fleet: FleetService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.feed.start(this);
    this.aliveTimer = setInterval(() => this.sendAlive(), ALIVE_EVERY_MS).unref();
  }

  /** Runs first, because an open stream would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.state = 'stopped';
    this.wake();
    clearInterval(this.aliveTimer);
    this.disconnectAll();
    await this.feed.stop();
  }

  /**
   * Opens the stream of a page: first what it has missed, then the changes as they happen.
   *
   * @throws Problem 429 `too_many_streams`; 503 `events_unavailable`
   */
  async connect(subscription: Subscription, viewer: Viewer): Promise<EventStream> {
    this.count(viewer);
    try {
      const page = await this.open(subscription);
      this.pages.set(page, viewer);
      page.once('close', () => {
        this.pages.delete(page);
        this.uncount(viewer);
        this.feed.watch(this.watched());
      });
      return page;
    } catch (error) {
      this.uncount(viewer);
      throw error;
    }
  }

  private count({ id }: Viewer): void {
    const ofViewer = this.counts.get(id) ?? 0;
    if (ofViewer >= MAX_PAGES_PER_SESSION)
      throw new Problem(429, 'too_many_streams', 'Close other pages first.', undefined, 15);
    if ([...this.counts.values()].reduce((sum, each) => sum + each, 0) >= MAX_PAGES)
      throw Problem.unavailable('events_unavailable', 'Too many pages are open.', 15);
    this.counts.set(id, ofViewer + 1);
  }

  private uncount({ id }: Viewer): void {
    const left = this.counts.get(id)! - 1;
    if (left > 0) this.counts.set(id, left);
    else this.counts.delete(id);
  }

  private async open({ bottleId, lastEventId }: Subscription): Promise<EventStream> {
    // the page may have seen, from another process, more than this one has read
    await this.until(() => this.state === 'open' && (lastEventId ?? '') <= this.recent.position);
    if (this.state !== 'open') {
      throw Problem.unavailable('events_unavailable', 'Live updates are unavailable. Reload the data.', 1);
    }
    const page = new EventStream(bottleId);
    const token = this.recent.position;
    const notices: Notice[] = this.recent.since(lastEventId, this.clock.now()) ?? [
      { event: 'reset', data: {}, token },
    ];
    if (bottleId !== undefined) {
      // its earlier heartbeats may not have been read
      if (this.feed.reads(bottleId)) notices.push({ event: 'bottle', data: { bottle_id: bottleId }, token });
      else this.feed.watch(new Set([...this.watched(), bottleId]));
    }
    page.notify(notices.length > 0 ? notices : [{ event: 'alive', data: {}, token }]);
    return page;
  }

  opened(position: string, watched: readonly string[]): void {
    if (this.recent.position === '') this.recent.begin(position, this.clock.now());
    this.state = this.state === 'stopped' ? 'stopped' : 'open';
    this.readUpTo = position;
    this.wake();
    // pages that have started to watch a bottle do not know its changes up to now
    for (const id of watched) this.pending.bottles.add(id);
    if (!this.pending.isEmpty) this.sendSoon();
  }

  changed(change: Change): void {
    this.readUpTo = change.token;
    this.pending.add(change);
    this.sendSoon();
  }

  quiet(position: string): void {
    this.readUpTo = position;
    if (!this.pending.isEmpty) return;
    this.recent.position = position;
    this.wake();
  }

  /** Pages may be out of date from now on: they notice the disconnection and reconnect. */
  interrupted(): void {
    this.state = this.state === 'stopped' ? 'stopped' : 'opening';
    this.disconnectAll();
  }

  lost(): void {
    this.pending = new PendingNotices();
    this.recent.position = '';
  }

  private watched(): Set<string> {
    return new Set([...this.pages.keys()].flatMap(({ bottleId }) => bottleId ?? []));
  }

  /** Waits until a condition holds, at most CONNECT_TIMEOUT_MS. */
  private async until(holds: () => boolean): Promise<void> {
    const limit = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
    limit.addEventListener('abort', () => this.wake());
    while (!limit.aborted && this.state !== 'stopped' && !holds())
      await new Promise<void>((resolve) => void this.waiting.push(resolve));
  }

  /** Makes all that wait check their condition again. */
  private wake(): void {
    for (const check of this.waiting.splice(0)) check();
  }

  private sendSoon(): void {
    const due = this.sentAt + SEND_EVERY_MS - performance.now();
    this.sendTimer ??= setTimeout(() => this.send(), Math.max(GATHER_MS, due));
  }

  private send(): void {
    this.sendTimer = undefined;
    this.sentAt = performance.now();
    if (this.state !== 'open') return;
    const { pending } = this;
    this.pending = new PendingNotices();
    this.recent.keep(this.readUpTo, pending.all, this.clock.now());
    if (pending.all.some(({ event }) => COUNTED.includes(event))) this.fleet.forgetCounts();
    this.wake();
    for (const page of this.pages.keys()) {
      const own: Notice[] =
        page.bottleId !== undefined && pending.bottles.has(page.bottleId)
          ? [{ event: 'bottle', data: { bottle_id: page.bottleId }, token: this.readUpTo }]
          : [];
      page.notify([...pending.all, ...own]);
    }
  }

  /** Asks once for each viewer, however many pages they have. */
  sendAlive(): void {
    const checks = new Map<string, Promise<unknown>>();
    for (const [page, { id, authorize }] of this.pages) {
      page.checkPace();
      const check = checks.get(id) ?? authorize();
      checks.set(id, check);
      check.then(
        () => page.notify([{ event: 'alive', data: {}, token: this.recent.position }]),
        (error: unknown) => {
          if (error instanceof Problem) page.destroy();
        },
      );
    }
  }

  private disconnectAll(): void {
    for (const page of this.pages.keys()) page.destroy();
  }
}
