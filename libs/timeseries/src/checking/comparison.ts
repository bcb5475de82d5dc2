import { zoneAt } from '#domain';
import {
  type Bottle,
  type BottleAction,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { Fold } from '../fold/fold.js';
import { LOGGED_METRICS, LoggedCounts } from '../rollup/logged-counts.js';
import { DirtyBuckets } from '../rollup/marks.js';
import { RollUps } from '../rollup/roll-ups.js';
import { tiersOf } from '../tiers/tiers.js';
import { DAY, endOf, HOUR, spansBetween, startOf } from '../time/units.js';
import { daysOf, type VitalsDay, VitalsDaysRepository } from '../vitals/vitals-days.repository.js';
import { VitalsHistory } from '../vitals/vitals-history.js';
import { VITAL_NAMES } from '../vitals/vitals.js';
import type { Difference } from './difference.js';
import { TagComparison, TagLog } from './tag-comparison.js';
import { LoggedTiers, TierComparison } from './tier-comparison.js';

const PAGE = 500;
/** So much of the log is compared at once. Milliseconds. */
const PORTION = 7 * DAY;
/** While the notifier works, what it wrote down and the counts of it are looked at so often. */
const LOOKS = 3;
/** How long before and after its hour by the wall clock something may have happened: zones are 14 hours ahead at most. */
const ZONES_APART = 14 * HOUR;

export interface ComparedRange {
  from: Date;
  /** Exclusive. */
  to: Date;
}

interface Compared {
  range: ComparedRange;
  /** What was received before this has been counted, and nothing else. */
  until: Date;
  heartbeatsSince: Date;
}

/** Compares every count with the log that it is made of. Only reads, but for the roll-ups that are due anyhow. */
@Injectable()
export class Comparison {
  constructor(
    private readonly fold: Fold,
    private readonly rollUps: RollUps,
    private readonly marks: DirtyBuckets,
    private readonly tiers: TierComparison,
    private readonly tags: TagComparison,
    private readonly logged: LoggedCounts,
    private readonly history: VitalsHistory,
    private readonly vitals: VitalsDaysRepository,
    private readonly bottles: BottlesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
  ) {}

  /**
   * @param range widened to whole hours; by tags these are hours of the wall clock where the bottles are. Days are
   *   compared where they are wholly in it.
   * @param heartbeatsSince older ones are no longer in the log: what was counted of them is not compared.
   */
  async all(range: ComparedRange, clock: { now(): Date }, heartbeatsSince: Date): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const portion of portions(wholeHours(range))) {
      await this.rollUps.run(clock);
      found.push(
        ...(await this.reports(portion, clock, heartbeatsSince)),
        ...(await this.written(portion, clock)),
      );
    }
    return found;
  }

  /** What bottles sent: in the tiers, by tags, and of their days. */
  private async reports(
    range: ComparedRange,
    clock: { now(): Date },
    heartbeatsSince: Date,
  ): Promise<Difference[]> {
    const { until, inTiers, inTags } = await this.fold.standing(clock, async (lease) => ({
      until: lease.until,
      inTiers: await this.tiers.read('reports', range, clock.now()),
      inTags: await this.tags.read(range),
    }));
    const compared: Compared = { range, until, heartbeatsSince };
    const [tiers, tags] = [await this.heartbeatsIn(compared), new TagLog(range)];
    const days = await this.daysIn(compared);
    const found: Difference[] = [];
    for await (const bottles of this.fleet()) {
      await this.addActions(bottles, compared, tiers, tags);
      if (days.length > 0) found.push(...(await this.compareDays(bottles, days)));
    }
    const since = (key: string): Date => (key === 'heartbeats' ? heartbeatsSince : range.from);
    return [...this.tiers.compare(inTiers, tiers, since), ...this.tags.compare(inTags, tags), ...found];
  }

  private async heartbeatsIn({ range, until, heartbeatsSince }: Compared): Promise<LoggedTiers> {
    const log = new LoggedTiers();
    const since = startOf('minute', range.from < heartbeatsSince ? heartbeatsSince : range.from);
    const minutes = await this.heartbeats.countByMinute(since, range.to < until ? range.to : until);
    for (const { minute, count } of minutes) log.add(minute, 'heartbeats', count, tiersOf(minute, minute));
    return log;
  }

  /** Actions have no index by event time (the lab has none), so they are read bottle by bottle. */
  private async addActions(
    bottles: readonly Bottle[],
    { range: { from, to }, until }: Compared,
    tiers: LoggedTiers,
    tags: TagLog,
  ): Promise<void> {
    const byId = new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle]));
    const actions = await this.actions.findOfBottles(
      bottles.map(({ _id }) => _id),
      new Date(from.getTime() - ZONES_APART),
      new Date(to.getTime() + ZONES_APART),
    );
    for (const action of actions) {
      if (action.received_at >= until) continue;
      if (action.time >= from && action.time < to) addAction(tiers, action);
      const { time, medication, pills_taken = 0 } = action;
      tags.add({
        time,
        medication,
        pills_taken,
        time_zone: zoneAt(byId.get(action.bottle_id.toHexString())!, time),
      });
    }
  }

  /** The whole days of a range that have documents, and of which the log has all heartbeats. */
  private async daysIn({ range: { from, to }, heartbeatsSince }: Compared): Promise<Date[]> {
    const until = await this.history.until();
    return spansBetween('day', from, to).filter(
      (day) => day >= from && endOf('day', day) <= to && day < until && day >= heartbeatsSince,
    );
  }

  private async compareDays(bottles: readonly Bottle[], days: readonly Date[]): Promise<Difference[]> {
    const ids = bottles.map(({ _id }) => _id);
    const counted = await this.vitals.find(ids, days);
    const logged = await this.heartbeats.findOfBottles(ids, days[0]!, endOf('day', days.at(-1)!));
    const [samples, expected] = [samplesOf(counted), samplesOf(daysOf(logged))];
    return [...new Set([...samples.keys(), ...expected.keys()])].flatMap((name): Difference[] => {
      const [day, kind] = name.split(/ (.*)/s) as [string, string];
      const [one, other] = [samples.get(name) ?? 0, expected.get(name) ?? 0];
      return one === other
        ? []
        : [{ tier: 'vitals', bucket: new Date(day), kind, counted: one, logged: other }];
    });
  }

  private async *fleet(): AsyncGenerator<Bottle[]> {
    for (let after: Bottle['_id'] | undefined; ;) {
      const bottles = await this.bottles.findPageAfter(after ? { after } : {}, PAGE);
      if (bottles.length > 0) yield bottles;
      after = bottles.at(-1)?._id;
      if (bottles.length < PAGE) return;
    }
  }

  /** Doses, alerts and messages: an hour that is marked has changed, and is rolled up before it is called wrong. */
  private async written(range: ComparedRange, clock: { now(): Date }): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const metric of LOGGED_METRICS) {
      for (let look = 1; ; look += 1) {
        const now = clock.now();
        const since = this.logged.keptSince(metric, now);
        const read = await this.tiers.read(metric, range, now);
        const log = new LoggedTiers();
        for (const { minute, key, count } of await this.logged.countByMinute(metric, range.from, range.to))
          log.add(minute, key, count);
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

function addAction(log: LoggedTiers, { time, action, pills_taken = 0, received_at }: BottleAction): void {
  const tiers = tiersOf(time, startOf('minute', received_at));
  log.add(time, action, 1, tiers);
  if (pills_taken > 0) log.add(time, 'pills_taken', pills_taken, tiers);
}

/** How many samples each bottle's day has, by day, bottle and vital. */
function samplesOf(days: readonly VitalsDay[]): Map<string, number> {
  const samples = new Map<string, number>();
  for (const { _id, hours } of days)
    for (const sampled of Object.values(hours))
      for (const vital of VITAL_NAMES) {
        const name = `${_id.timestamp.toISOString()} ${_id.bottle_id.toHexString()} ${vital}`;
        const count = sampled[vital]?.num_samples ?? 0;
        if (count > 0) samples.set(name, (samples.get(name) ?? 0) + count);
      }
  return samples;
}

/** Widens a range to whole hours. */
export function wholeHours({ from, to }: ComparedRange): ComparedRange {
  const last = startOf('hour', to);
  return { from: startOf('hour', from), to: last < to ? endOf('hour', to) : last };
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
