import { type Change, ChangeReader, ChangesLostError, ChangesRepository } from '#persistence';
import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

/** A database that stays away is tried again after this long. */
const RETRY_MS = 1_000;

/** What happens to the feed, in the order of events. */
export interface FeedListener {
  /**
   * It is open, and complete since it was last.
   *
   * @param watched bottles of which everything is read from now on.
   */
  opened(position: string, watched: readonly string[]): void;
  changed(change: Change): void;
  /** There was no other change up to here. */
  quiet(position: string): void;
  /** The database is away. It will be open again. */
  interrupted(): void;
  /** What happened meanwhile is not known, nor will it be. */
  lost(): void;
}

/** The one change stream of this process: goes on where it stopped, and reads all of the bottles that are watched. */
@Injectable()
export class ChangeFeed {
  private readonly logger = new Logger(ChangeFeed.name);
  private position: string | undefined;
  private reader: ChangeReader | undefined;
  /** What the stream lets through, and what it should. */
  private read: ReadonlySet<string> = new Set();
  private wanted: ReadonlySet<string> = new Set();
  private stopped = false;
  private healthy = true;
  private running = Promise.resolve();

  constructor(private readonly changes: ChangesRepository) {}

  start(listener: FeedListener): void {
    this.running = this.run(listener);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.reader?.close().catch(() => undefined);
    await this.running;
  }

  /** Everything of these bottles is wanted from now on; what is not wanted any more may go on coming for a while. */
  watch(bottleIds: ReadonlySet<string>): void {
    this.wanted = bottleIds;
  }

  /** Everything of this bottle comes. */
  reads(bottleId: string): boolean {
    return this.read.has(bottleId);
  }

  private get isStale(): boolean {
    return [...this.wanted].some((id) => !this.read.has(id));
  }

  private async run(listener: FeedListener): Promise<void> {
    while (!this.stopped) {
      try {
        await this.follow(listener);
      } catch (error) {
        if (this.stopped) return;
        this.read = new Set();
        listener.interrupted();
        if (error instanceof ChangesLostError) {
          this.position = undefined;
          listener.lost();
        }
        if (this.healthy) this.logger.warn(`no changes are read: ${String(error)}`);
        this.healthy = false;
        await sleep(RETRY_MS);
      }
    }
  }

  /** Reads until the stream has to let through more, or we stop. */
  private async follow(listener: FeedListener): Promise<void> {
    const watched = [...this.wanted];
    const reader = this.changes.open(watched, this.position);
    this.reader = reader;
    try {
      let change = await reader.next();
      this.read = new Set(watched);
      if (!this.healthy) this.logger.log('changes are read again');
      this.healthy = true;
      // whoever comes from now on reads what this one has changed, and has its place to go on from
      if (this.position === undefined) change = undefined;
      listener.opened(this.position ?? reader.position, watched);
      while (!this.stopped) {
        this.position = change?.token ?? reader.position;
        if (change) listener.changed(change);
        else listener.quiet(this.position);
        if (this.isStale) return;
        change = await reader.next();
      }
    } finally {
      await reader.close().catch(() => undefined);
    }
  }
}
