import type { Random } from '../../random.js';
import type { Timeline } from './timeline.js';
import type { DeviceClock } from './device-clock.js';
import type { Outbox } from './outbox.js';
import type { Report } from './report.js';

/** Grams. */
const PILL_MASS = 0.5;
const REFILL_PILLS = 60;
/** Somebody replaces the battery here. */
const EMPTY_PERCENT = 5;

export interface BottleParts {
  id: string;
  clock: DeviceClock;
  outbox: Outbox;
  timeline: Timeline;
  random: Random;
  pills: number;
  /** Percent; by chance unless given. */
  battery?: number | undefined;
}

/** A bottle: its contents, its lid, and what it says of them. */
export class SimulatedBottle {
  readonly id: string;
  readonly outbox: Outbox;
  private readonly timeline: Timeline;
  private readonly clock: DeviceClock;
  private readonly random: Random;
  private pills: number;
  private battery: number;
  private events = 0;
  private isOpen = false;
  /** Taken since the lid came off. */
  private inHand = 0;

  constructor({ id, clock, outbox, timeline, random, pills, battery }: BottleParts) {
    this.id = id;
    this.clock = clock;
    this.outbox = outbox;
    this.timeline = timeline;
    this.random = random;
    this.pills = pills;
    // some are near the end from the start: their batteries run low and are replaced
    this.battery = battery ?? Math.round(random.between(EMPTY_PERCENT, 100));
  }

  get open(): boolean {
    return this.isOpen;
  }

  heartbeat(): Report {
    const now = this.timeline.now();
    if (this.random.chance(0.01)) this.battery = this.battery > EMPTY_PERCENT ? this.battery - 1 : 100;
    return this.outbox.add({
      type: 'heartbeat',
      madeAt: now,
      body: {
        sent_at: this.clock.write(now),
        battery_percent: this.battery,
        rssi_dbm: -this.random.integer(45, 85),
        ...this.contents(),
      },
    });
  }

  /** The lid comes off; nothing when it is off already. */
  openLid(): Report | undefined {
    if (this.isOpen) return undefined;
    this.isOpen = true;
    return this.report({ action: 'opened' });
  }

  /** The lid goes on again, and so many pills more are gone; nothing when it is on. */
  closeLid(pillsTaken = 0): Report | undefined {
    if (!this.isOpen) return undefined;
    const taken = this.inHand + pillsTaken;
    this.isOpen = false;
    this.inHand = 0;
    this.pills = Math.max(0, this.pills - taken);
    return this.report({ action: 'closed', pills_taken: taken });
  }

  /**
   * Takes pills out of a bottle that is open for `openFor` milliseconds, or until somebody else closes it; they are
   * reported with that closing. A bottle with too few pills is refilled while it is open.
   */
  take(pills: number, openFor: number): void {
    this.openLid();
    this.inHand += pills;
    if (this.inHand > this.pills) this.pills += REFILL_PILLS;
    this.timeline.after(openFor, () => this.closeLid());
  }

  private report(fields: { action: 'opened' | 'closed'; pills_taken?: number }): Report {
    const now = this.timeline.now();
    this.events += 1;
    return this.outbox.add({
      type: 'action',
      madeAt: now,
      body: { ...fields, time: this.clock.write(now), event_id: `e${this.events}`, ...this.contents() },
    });
  }

  private contents(): { mass_of_contents: number; number_of_pills: number } {
    return { mass_of_contents: this.pills * PILL_MASS, number_of_pills: this.pills };
  }
}
