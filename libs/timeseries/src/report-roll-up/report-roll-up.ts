import { isCanary, zoneAt, MINUTE_MS, HOUR_MS } from '#domain';
import {
  type BottleAction,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { RangedCollections } from '../collections/ranged-collections.js';
import { Buckets } from '../counting/buckets.js';
import { Tally } from '../counting/tally.js';
import { LiveCounts } from '../counting/live.js';
import { countReports } from '../counting/reports.js';
import { countTaken, type Removal } from '../counting/taken.js';
import { startOf } from '../time/units.js';
import { migrateCounts } from './migration.js';
import { type Lease, Progress } from './progress.js';

const NAME = 'reports';
/** What was received in a minute is in the log so long after its end, or was never acknowledged. Milliseconds. */
const SETTLED = MINUTE_MS;

/** A worker that is so far behind does not stop at minutes in which nothing came. Milliseconds. */
const BEHIND = HOUR_MS;

/**
 * The counts of reports follow the log in the order of receipt: one finished minute after the other is read and
 * added to the documents that its events belong to, however old these are. Each document remembers the minute up to
 * which it was added to. So a minute that is done again, by whoever goes on after a crash or by two at once, changes
 * nothing, and nothing is kept beside the log by those who receive.
 */
@Injectable()
export class ReportRollUp {
  constructor(
    private readonly progress: Progress,
    private readonly collections: RangedCollections,
    private readonly buckets: Buckets,
    private readonly live: LiveCounts,
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly bottles: BottlesRepository,
  ) {}

  /** Does nothing while another notifier is at it. @returns how many minutes were added. */
  async run(clock: { now(): Date }, stopping = () => false): Promise<number> {
    const lease = await this.progress.claim(NAME, clock, () => this.beginning(clock));
    if (!lease) return 0;
    let done = 0;
    try {
      let minute = await this.nextOf(lease.until, clock.now());
      for (; isSettled(minute, clock.now()) && !stopping(); done += 1) {
        await this.buckets.add(await this.tallyOf(minute), minute);
        minute = await this.nextOf(new Date(minute.getTime() + MINUTE_MS), clock.now());
        if (!(await lease.advance(minute))) break;
      }
    } finally {
      await lease.release();
    }
    return done;
  }

  /** What was received before this is counted; undefined before the first run. */
  countedUntil(): Promise<Date | undefined> {
    return this.progress.until(NAME);
  }

  /** Runs something while the counts stand still. Reports received before `lease.until` are counted, others are not. */
  standing<T>(clock: { now(): Date }, run: (lease: Lease) => Promise<T>): Promise<T> {
    return this.progress.held(NAME, clock, () => this.beginning(clock), run);
  }

  /** The minute of the first report that nobody has counted. */
  private async beginning(clock: { now(): Date }): Promise<Date> {
    const counted = await migrateCounts(this.collections);
    if (counted) return startOf('minute', counted);
    return this.findReceipt(new Date(0), clock.now());
  }

  /** Long behind, it goes from report to report: nobody was there to count between. */
  private async nextOf(minute: Date, now: Date): Promise<Date> {
    return now.getTime() - minute.getTime() < BEHIND ? minute : this.findReceipt(minute, now);
  }

  /** The minute of the first report at or after `since`, but none that may still get reports. */
  private async findReceipt(since: Date, now: Date): Promise<Date> {
    const firsts = await Promise.all([
      this.actions.findFirstReceipt(since),
      this.heartbeats.findFirstReceipt(since),
    ]);
    const settled = new Date(now.getTime() - MINUTE_MS - SETTLED);
    const times = [settled, ...firsts.flatMap((at) => at ?? [])].map((at) => at.getTime());
    return startOf('minute', new Date(Math.min(...times)));
  }

  private async tallyOf(minute: Date): Promise<Tally> {
    const tally = new Tally();
    const end = new Date(minute.getTime() + MINUTE_MS);
    const [received, heartbeats, listening] = await Promise.all([
      this.actions.findReceived(minute, end),
      this.heartbeats.countReceived(minute, end),
      this.live.countAccepting(minute),
    ]);
    const actions = received.filter(({ bottle_id }) => !isCanary(bottle_id));
    countReports(tally, minute, minute, 'heartbeats', heartbeats);
    // a minute in which a device-api process listened is no gap, even if nothing came
    countReports(tally, minute, minute, 'listening', listening);
    for (const { time, action, pills_taken = 0 } of actions) {
      countReports(tally, time, minute, action, 1);
      countReports(tally, time, minute, 'pills_taken', pills_taken);
    }
    for (const removal of await this.removalsOf(actions)) countTaken(tally, removal);
    return tally;
  }

  /** Pills that were taken out, each with the zone where its bottle was then. */
  private async removalsOf(actions: BottleAction[]): Promise<Removal[]> {
    const removals = actions.filter(({ pills_taken = 0 }) => pills_taken > 0);
    const ids = new Map(removals.map(({ bottle_id }) => [bottle_id.toHexString(), bottle_id]));
    const bottles = ids.size === 0 ? [] : await this.bottles.findByIds([...ids.values()]);
    const byId = new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle]));
    return removals.flatMap(({ bottle_id, time, medication, pills_taken = 0 }) => {
      const bottle = byId.get(bottle_id.toHexString());
      return bottle ? [{ time, medication, pills_taken, time_zone: zoneAt(bottle, time) }] : [];
    });
  }
}

function isSettled(minute: Date, now: Date): boolean {
  return minute.getTime() + MINUTE_MS + SETTLED <= now.getTime();
}
