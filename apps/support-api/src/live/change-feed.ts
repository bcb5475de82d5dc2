import { type Change, ChangeReader, ChangesLostError, ChangesRepository } from '#persistence';
import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait before connecting to the database again. */
const RETRY_MS = 1_000;

/** The events of the feed, in order. */
export interface FeedListener {
  /**
   * The feed is open, and has missed nothing since it was open before.
   *
   * @param watched bottles of which every change is read from now on
   */
  opened(position: string, watched: readonly string[]): void;
  changed(change: Change): void;
  /** There was no further change up to this position. */
  quiet(position: string): void;
  /** The database is unreachable. The feed will open again. */
  interrupted(): void;
  /** The changes of the meantime are lost for good. */
  lost(): void;
}

/** The single change stream of this process. It resumes where it stopped and reads every change of watched bottles. */
@Injectable()
export class ChangeFeed {
  private readonly logger = new Logger(ChangeFeed.name);
  private position: string | undefined;
  private reader: ChangeReader | undefined;
  /** The bottles that the stream reads completely. */
  private read: ReadonlySet<string> = new Set();
  /** The bottles that it should read completely. */
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

  /** Watches exactly these bottles from now on. Changes of other bottles may still arrive for a while. */
  watch(bottleIds: ReadonlySet<string>): void {
    this.wanted = bottleIds;
  }

  /** Every change of this bottle arrives. */
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
        if (this.healthy) this.logger.warn(`change feed interrupted: ${String(error)}`);
        this.healthy = false;
        await sleep(RETRY_MS);
      }
    }
  }

  /** A change that the listener cannot take is passed over: the feed is everybody's. */
  private pass(listener: FeedListener, change: Change | undefined, position: string): void {
    try {
      if (change) listener.changed(change);
      else listener.quiet(position);
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** Reads until more bottles are watched, or until the feed stops. */
  private async follow(listener: FeedListener): Promise<void> {
    const watched = [...this.wanted];
    const reader = this.changes.open(watched, this.position);
    this.reader = reader;
    try {
      let change = await reader.next();
      this.read = new Set(watched);
      if (!this.healthy) this.logger.log('change feed resumed');
      this.healthy = true;
      // pages that connect from now on read the result of this change and resume from its position
      if (this.position === undefined) change = undefined;
      listener.opened(this.position ?? reader.position, watched);
      while (!this.stopped) {
        this.position = change?.token ?? reader.position;
        this.pass(listener, change, this.position);
        if (this.isStale) return;
        change = await reader.next();
      }
    } finally {
      await reader.close().catch(() => undefined);
    }
  }
}
