import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../simulator/random.js';
import { PersistentBottle } from '../harness/persistent-bottle.js';
import type { Journal, Said } from './journal.js';

/** Settings under which a life takes seconds. */
export const PACE = { OPEN_BOTTLE_AFTER: '2s', SILENT_BOTTLE_AFTER: '24s' };
const OPEN_AFTER_MS = 2_000;
const BEAT_MS = 8_000;

/** What bottles live through. */
interface Ground {
  /** Address of device-api. */
  target: string;
  journal: Journal;
  random: Random;
  acknowledged: (id: string) => void;
}

/**
 * Bottles that bring troubles about and end them, over HTTP, and what their people are owed for that. It follows
 * from what the bottles did alone: nothing of it is read from the product's database.
 */
export class Lives {
  readonly owed = new Set<Said>();
  /** Those that were closed at about the moment at which their being open was to be told. */
  readonly hurried: string[] = [];
  /** Why bottles could not go on. */
  readonly failures: unknown[] = [];
  private readonly end = new AbortController();
  private readonly beating: Promise<void>[] = [];
  private readonly living = new Set<Promise<void>>();
  count = 0;

  constructor(private readonly ground: Ground) {}

  /** One more bottle begins. */
  begin({ id, token }: { id: string; token: string }): void {
    const { target, acknowledged, random } = this.ground;
    const bottle = new PersistentBottle(id, token, { target, acknowledged, signal: this.end.signal });
    const life = random.pick(['leftOpen', 'closedWhenTold', 'closedInAHurry', 'silentForAWhile'] as const);
    this.count += 1;
    const living = this[life](bottle)
      .catch((error: unknown) => void this.failures.push(error))
      .finally(() => this.living.delete(living));
    this.living.add(living);
  }

  /** How many wait for something to be told still. */
  get unfinished(): number {
    return this.living.size;
  }

  /** They fall silent for good. */
  async leave(): Promise<void> {
    this.end.abort();
    await Promise.all(this.beating);
  }

  private async leftOpen(bottle: PersistentBottle): Promise<void> {
    await bottle.open();
    this.keepBeating(bottle);
    await this.owe(bottle, 'bottle_open raised');
  }

  private async closedWhenTold(bottle: PersistentBottle): Promise<void> {
    const pause = this.ground.random.between(0, 1_000);
    await this.leftOpen(bottle);
    await sleep(pause);
    await bottle.close();
    await this.owe(bottle, 'bottle_open resolved');
  }

  private async closedInAHurry(bottle: PersistentBottle): Promise<void> {
    const pause = this.ground.random.between(0, 2 * OPEN_AFTER_MS);
    await bottle.open();
    this.keepBeating(bottle);
    await sleep(pause);
    await bottle.close();
    this.hurried.push(bottle.id);
  }

  private async silentForAWhile(bottle: PersistentBottle): Promise<void> {
    await bottle.heartbeat();
    await this.owe(bottle, 'bottle_silent raised');
    this.keepBeating(bottle);
    await this.owe(bottle, 'bottle_silent resolved');
  }

  /** It is owed from now on; resolves when it has been told. */
  private async owe(bottle: PersistentBottle, what: string): Promise<void> {
    const said = `${bottle.id} ${what}`;
    this.owed.add(said);
    await this.ground.journal.told(said);
  }

  private keepBeating(bottle: PersistentBottle): void {
    this.beating.push(bottle.beat(BEAT_MS).catch((error: unknown) => void this.failures.push(error)));
  }
}
