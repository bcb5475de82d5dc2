import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.js';
import { PersistentBottle } from '../harness/persistent-bottle.js';
import type { Content } from './journal.js';

/** Settings under which alerts are raised within seconds. */
export const SETTINGS = { OPEN_BOTTLE_AFTER: '2s', SILENT_BOTTLE_AFTER: '24s' };
const OPEN_AFTER_MS = 2_000;
const HEARTBEAT_MS = 8_000;

interface Options {
  /** Addresses of device-api. */
  targets: readonly string[];
  /** Resolves when a notification has been received wherever it has to be: what has ended is not sent any more (MSG-1). */
  received: (content: Content) => Promise<unknown>;
  random: Random;
  /** Called with the id of each acknowledged report. */
  acknowledged: (id: string) => void;
}

/**
 * Bottles that cause alerts and end them, over HTTP, and the notifications that must follow. What must follow is
 * derived from the bottles' own actions: nothing is read from the product's database.
 */
export class Bottles {
  readonly expected = new Set<Content>();
  /** Ids of bottles that were closed at about the moment at which their alert was due. */
  readonly closedInTime: string[] = [];
  /** Errors that stopped bottles. */
  readonly failures: unknown[] = [];
  private readonly end = new AbortController();
  private readonly reporting: Promise<void>[] = [];
  private readonly unfinishedRuns = new Set<Promise<void>>();
  count = 0;

  constructor(private readonly options: Options) {}

  /** Runs one more bottle. */
  add({ id, token }: { id: string; token: string }): void {
    const { targets, acknowledged, random } = this.options;
    const bottle = new PersistentBottle(id, token, { targets, acknowledged, signal: this.end.signal });
    const script = random.pick(['leftOpen', 'closedAfterAlert', 'closedWhenDue', 'silentForAWhile'] as const);
    this.count += 1;
    const run = this[script](bottle)
      .catch((error: unknown) => void this.failures.push(error))
      .finally(() => this.unfinishedRuns.delete(run));
    this.unfinishedRuns.add(run);
  }

  /** How many bottles still wait for a notification. */
  get unfinished(): number {
    return this.unfinishedRuns.size;
  }

  /** Stops all reports. */
  async stop(): Promise<void> {
    this.end.abort();
    await Promise.all(this.reporting);
  }

  private async leftOpen(bottle: PersistentBottle): Promise<void> {
    await bottle.open();
    this.keepReporting(bottle);
    await this.expectMessage(bottle, 'bottle_open raised');
  }

  private async closedAfterAlert(bottle: PersistentBottle): Promise<void> {
    const pause = this.options.random.between(0, 1_000);
    await this.leftOpen(bottle);
    await sleep(pause);
    await bottle.close();
    await this.expectMessage(bottle, 'bottle_open resolved');
  }

  private async closedWhenDue(bottle: PersistentBottle): Promise<void> {
    const pause = this.options.random.between(0, 2 * OPEN_AFTER_MS);
    await bottle.open();
    this.keepReporting(bottle);
    await sleep(pause);
    await bottle.close();
    this.closedInTime.push(bottle.id);
  }

  private async silentForAWhile(bottle: PersistentBottle): Promise<void> {
    await bottle.heartbeat();
    await this.expectMessage(bottle, 'bottle_silent raised');
    this.keepReporting(bottle);
    await this.expectMessage(bottle, 'bottle_silent resolved');
  }

  /** Expects a notification from now on; resolves when it has been received. */
  private async expectMessage(bottle: PersistentBottle, what: string): Promise<void> {
    const content = `${bottle.id} ${what}`;
    this.expected.add(content);
    await this.options.received(content);
  }

  private keepReporting(bottle: PersistentBottle): void {
    this.reporting.push(
      bottle.keepReporting(HEARTBEAT_MS).catch((error: unknown) => void this.failures.push(error)),
    );
  }
}
