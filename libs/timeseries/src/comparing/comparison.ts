import { Injectable } from '@nestjs/common';
import { DAY, spansBetween, startOf } from '../time/units.js';
import { LOGGED_METRICS, LoggedCounts } from '../rollup/logged-counts.js';
import { DirtyBuckets } from '../rollup/marks.js';
import { RollUps } from '../rollup/roll-ups.js';
import type { Difference } from './difference.js';
import {
  actionMinutes,
  type LogPage,
  type MinuteLog,
  removalsOf,
  ReportLog,
  settledBefore,
} from './report-log.js';
import { TagComparison, TagLog, ZONES_APART } from './tag-comparison.js';
import { TierComparison, wholeHours } from './tier-comparison.js';
import { VitalsComparison } from './vitals-comparison.js';

/** So much of the log is compared at once. Milliseconds. */
const PORTION = 7 * DAY;
/** While the notifier works, what it wrote down and the counts of it are looked at so often. */
const LOOKS = 3;

export interface ComparedRange {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Compares every count with the log that it is made of. Only reads, but for the roll-ups that are due anyhow. */
@Injectable()
export class Comparison {
  constructor(
    private readonly rollUps: RollUps,
    private readonly marks: DirtyBuckets,
    private readonly log: ReportLog,
    private readonly tiers: TierComparison,
    private readonly tags: TagComparison,
    private readonly vitals: VitalsComparison,
    private readonly logged: LoggedCounts,
  ) {}

  /**
   * @param range widened to whole hours; by tags these are hours of the wall clock where the bottles are. Days are
   *   compared where they are wholly in it.
   * @param heartbeatsSince older ones are no longer in the log: what was counted of them is not compared.
   */
  async all(range: ComparedRange, clock: { now(): Date }, heartbeatsSince: Date): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const portion of portions(wholeHours(range))) {
      const begun = clock.now();
      await this.rollUps.run(clock);
      found.push(
        ...(await this.reports(portion, begun, clock, heartbeatsSince)),
        ...(await this.written(portion, clock)),
      );
    }
    return found;
  }

  /**
   * What was counted as it came in: in the tiers, by tags, and of the bottles.
   *
   * @param begun before the last roll-up.
   * @param of only these bottles' own days; all unless given.
   * @param rate no more bottles a second.
   */
  async reports(
    range: ComparedRange,
    begun: Date,
    clock: { now(): Date },
    heartbeatsSince: Date,
    of: (page: LogPage) => Promise<LogPage> = (page) => Promise.resolve(page),
    rate = Number.POSITIVE_INFINITY,
  ): Promise<Difference[]> {
    const receivedBefore = settledBefore(begun);
    const { from, to } = range;
    const byTag = new TagLog(range, receivedBefore);
    const days = spansBetween('day', from, to).filter(
      (day) => day >= from && day.getTime() + DAY <= to.getTime() && day >= heartbeatsSince,
    );
    const found: Difference[] = [];
    const [inTiers, inTags] = await Promise.all([
      this.tiers.read('reports', range, begun),
      this.tags.read(range),
    ]);
    const minutes: MinuteLog[] = [];
    const [first, last] = [new Date(from.getTime() - ZONES_APART), new Date(to.getTime() + ZONES_APART)];
    for await (const page of this.log.walk(first, last, rate)) {
      removalsOf(page).forEach((removal) => byTag.add(removal));
      const actions = page.actions.filter(({ time }) => time >= from && time < to);
      minutes.push(...actionMinutes(actions, receivedBefore));
      const some = days.length === 0 ? { ...page, bottles: [] } : await of(page);
      if (some.bottles.length === 0) continue;
      found.push(...(await this.vitals.compare(some, days, clock)));
    }
    minutes.push(...(await this.log.heartbeatMinutes(from, to, receivedBefore)));
    const since = (key: string): Date => (key === 'heartbeats' ? heartbeatsSince : from);
    return [...this.tiers.compare(inTiers, minutes, since), ...this.tags.compare(inTags, byTag), ...found];
  }

  /** Doses, alerts and messages: an hour that is marked has changed, and is rolled up before it is called wrong. */
  private async written(range: ComparedRange, clock: { now(): Date }): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const metric of LOGGED_METRICS) {
      for (let look = 1; ; look += 1) {
        const now = clock.now();
        const since = this.logged.keptSince(metric, now);
        const read = await this.tiers.read(metric, range, now);
        const counts = await this.logged.countByMinute(metric, range.from, range.to);
        const log = counts.map(({ minute, key, count }) => ({ minute, key, least: count, most: count }));
        const differing = this.tiers.compare(read, log, () => since);
        const open = differing.length > 0 ? await this.marks.findOpenOf(metric, range.from, range.to) : [];
        if (open.length === 0 || look === LOOKS) {
          found.push(...differing);
          break;
        }
        for (const { _id } of open) await this.rollUps.hour(metric, _id.timestamp, now);
      }
    }
    return found;
  }
}

function portions({ from, to }: ComparedRange): ComparedRange[] {
  const found: ComparedRange[] = [];
  for (let start = from; start < to;) {
    const end = new Date(Math.min(startOf('day', start).getTime() + PORTION, to.getTime()));
    found.push({ from: start, to: end });
    start = end;
  }
  return found;
}
