import { MINUTE_MS, DAY_MS } from '#domain';
import { type Bottle, BottleHeartbeatsRepository, BottlesRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Progress } from '../report-roll-up/progress.js';
import { endOf, startOf } from '../time/units.js';
import { daysOf, VitalsDaysRepository } from './vitals-days.repository.js';

const NAME = 'vitals';
const PAGE = 500;
/** What was received in a day is in the log so long after its end, or was never acknowledged. Milliseconds. */
const SETTLED = 2 * MINUTE_MS;

/**
 * Keeps the vitals of bottles for longer than their heartbeats: when a day is over, one document a bottle
 * is made of it, from the log. Heartbeats count at their receipt, so nothing of that day comes later.
 */
@Injectable()
export class VitalsHistory {
  constructor(
    private readonly progress: Progress,
    private readonly days: VitalsDaysRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly bottles: BottlesRepository,
  ) {}

  /** The days before this one have their documents. */
  async until(): Promise<Date> {
    return (await this.progress.until(NAME)) ?? new Date(0);
  }

  /**
   * Makes the documents of the days that are over. Does nothing while another notifier is at it; a day that was begun
   * by one that died is done again.
   *
   * @param heartbeatsSince older ones may be deleted meanwhile: the first day is the one after it.
   * @param rate no more bottles a second.
   */
  async run(
    clock: { now(): Date },
    heartbeatsSince: Date,
    rate: number,
    stopping = () => false,
  ): Promise<void> {
    const isOver = (day: Date): boolean => endOf('day', day).getTime() + SETTLED <= clock.now().getTime();
    if (!isOver(await this.until())) return;
    const lease = await this.progress.claim(NAME, clock, () => this.beginning(clock, heartbeatsSince));
    if (!lease) return;
    try {
      for (let day = lease.until; isOver(day); day = endOf('day', day)) {
        const first = await this.heartbeats.findFirstReceipt(day);
        if (first && first < endOf('day', day))
          for await (const page of this.bottles.pages(PAGE)) {
            const pause = sleep((1_000 * page.length) / rate, undefined, { ref: false });
            if (stopping() || !(await lease.advance(day))) return;
            await this.write(page, day);
            if (page.length === PAGE) await pause;
          }
        if (!(await lease.advance(endOf('day', day)))) return;
      }
    } finally {
      await lease.release();
    }
  }

  /** Makes the documents of some bottles for a day that is over. */
  async write(bottles: readonly Pick<Bottle, '_id'>[], day: Date): Promise<void> {
    const ids = bottles.map(({ _id }) => _id);
    await this.days.write(daysOf(await this.heartbeats.findOfBottles(ids, day, endOf('day', day))));
  }

  /** The first day of which the log has a heartbeat, and will keep it for long enough. */
  private async beginning(clock: { now(): Date }, heartbeatsSince: Date): Promise<Date> {
    const first = (await this.heartbeats.findFirstReceipt(new Date(0))) ?? clock.now();
    return startOf('day', first < heartbeatsSince ? new Date(heartbeatsSince.getTime() + DAY_MS) : first);
  }
}
