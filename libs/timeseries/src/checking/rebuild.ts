import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Buckets } from '../counting/buckets.js';
import { Tally } from '../counting/tally.js';
import { Progress } from '../fold/progress.js';
import { LOGGED_METRICS } from '../rollup/logged-counts.js';
import { RollUps } from '../rollup/roll-ups.js';
import { homeOf } from '../tiers/tiers.js';
import { spansBetween, startOf } from '../time/units.js';
import { VitalsHistory } from '../vitals/vitals-history.js';
import { Comparison, type ComparedRange, wholeHours } from './comparison.js';
import type { Difference } from './difference.js';

/**
 * Makes the counts of a range what the logs say: adds what is missing and takes off what is too much. The counts go
 * on to follow the log meanwhile. Doing it again changes nothing; one at a time does it.
 */
@Injectable()
export class Rebuild {
  constructor(
    private readonly progress: Progress,
    private readonly comparison: Comparison,
    private readonly buckets: Buckets,
    private readonly rollUps: RollUps,
    private readonly history: VitalsHistory,
  ) {}

  /** @returns what differed before. */
  run(range: ComparedRange, clock: { now(): Date }, heartbeatsSince: Date): Promise<Difference[]> {
    const beginning = (): Promise<Date> => Promise.resolve(clock.now());
    return this.progress.held('rebuild', clock, beginning, async () => {
      const differing = await this.comparison.all(range, clock, heartbeatsSince);
      const missing = new Tally();
      for (const { mend } of differing) mend?.(missing);
      await this.buckets.add(missing);
      for (const { tier, bucket, kind } of differing)
        if (tier === 'vitals')
          await this.history.write([{ _id: new Types.ObjectId(kind.split(' ')[0]) }], bucket);
      for (const hour of hoursOf(range, clock.now()))
        for (const metric of LOGGED_METRICS) await this.rollUps.hour(metric, hour, clock.now());
      return differing;
    });
  }
}

/** The hours of a range that have begun; of days whose hours are past keeping, one each. */
function hoursOf(range: ComparedRange, now: Date): Date[] {
  const { from, to } = wholeHours(range);
  const hours = spansBetween('hour', from, to).filter((hour) => hour <= now);
  const firsts = new Map(
    hours.map((hour) => {
      const first = homeOf(hour, now) === '1d' ? startOf('day', hour) : hour;
      return [first.getTime(), first];
    }),
  );
  return [...firsts.values()];
}
