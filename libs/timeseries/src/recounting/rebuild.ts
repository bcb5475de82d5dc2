import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Comparison, type ComparedRange } from '../comparing/comparison.js';
import type { Difference } from '../comparing/difference.js';
import { wholeHours } from '../comparing/tier-comparison.js';
import { reportsUnit } from '../counting/reports.js';
import type { Unit } from '../counting/tally.js';
import { LOGGED_METRICS } from '../rollup/logged-counts.js';
import { RollUps } from '../rollup/roll-ups.js';
import { homeOf } from '../tiers/tiers.js';
import { SECOND, spansBetween, startOf } from '../time/units.js';
import { Recounts } from './recounts.js';

/**
 * Makes the tiers of a range from the logs, whatever they hold; what is counted by tags and of the bottles, where it
 * is not surely right. Doing it again changes nothing; ingest goes on meanwhile. Takes over a minute: so long reports may be on
 * their way.
 */
@Injectable()
export class Rebuild {
  constructor(
    private readonly comparison: Comparison,
    private readonly recounts: Recounts,
    private readonly rollUps: RollUps,
  ) {}

  /** @returns what differed before. */
  async run(range: ComparedRange, clock: { now(): Date }, heartbeatsSince: Date): Promise<Difference[]> {
    const differing = await this.comparison.all(range, clock, heartbeatsSince);
    const units = [...unitsOf(range, clock.now()), ...differing.flatMap(({ unit }) => unit ?? [])];
    await this.recounts.begin(units, clock);
    while ((await this.recounts.countOpen(units)) > 0) {
      const done = await this.recounts.finishDue(clock, heartbeatsSince);
      if (done === 0) await sleep(SECOND);
    }
    await this.rollUp(range, clock);
    return differing.filter(({ sure }) => sure);
  }

  private async rollUp(range: ComparedRange, clock: { now(): Date }): Promise<void> {
    for (const hour of hoursOf(range, clock.now()))
      for (const metric of ['reports', ...LOGGED_METRICS] as const)
        await this.rollUps.hour(metric, hour, clock.now());
  }
}

function unitsOf(range: ComparedRange, now: Date): Unit[] {
  return hoursOf(range, now).map((hour) => reportsUnit(hour, now).unit);
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
