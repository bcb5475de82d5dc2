import { zoneAt, DAY_MS, HOUR_MS } from '#domain';
import {
  type Bottle,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { RangedCollections } from '../collections/ranged-collections.js';
import { Buckets } from '../counting/buckets.js';
import { Tally } from '../counting/tally.js';
import { tierBucket } from '../counting/reports.js';
import {
  COUNTED_WITH,
  LOGGED_METRICS,
  type LoggedMetric,
  type Metric,
  ROLLED_METRICS,
  type RolledMetric,
} from '../tiers/metrics.js';
import { addTaken, ALL_ZONES, readTaken, type Taken, type TakenSlot, takenSlots } from '../counting/taken.js';
import { ReportRollUp } from '../report-roll-up/report-roll-up.js';
import { Progress } from '../report-roll-up/progress.js';
import { DirtyBuckets } from '../rollup/dirty-buckets.js';
import { keptSince, RollUps } from '../rollup/roll-ups.js';
import { TierDocumentsRepository } from '../tiers/tier-documents.repository.js';
import { slotOf, TIER_NAMES, type TierName, TIERS, tiersOf, timeOfSlot, valuesOf } from '../tiers/tiers.js';
import { endOf, spansBetween, startOf } from '../time/units.js';
import { daysOf, type VitalsDay, VitalsDaysRepository } from '../vitals/vitals-days.repository.js';
import { VitalsHistory } from '../vitals/vitals-history.js';
import { VITAL_NAMES } from '../vitals/vitals.js';
import { type Difference, Ledger, type Place } from './ledger.js';

const PAGE = 500;
/** So much of the log is compared at once. Milliseconds. */
const PORTION = 7 * DAY_MS;
/** While the notifier works, what it wrote down and the counts of it are looked at so often. */
const COMPARISONS = 3;
/** How long before and after its hour by the wall clock something may have happened: zones are 14 hours ahead at most. */
const ZONES_APART = 14 * HOUR_MS;

export interface ComparedRange {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Compares every count with the log that it is made of, and makes it what the log says. */
@Injectable()
export class Verifier {
  constructor(
    private readonly reportRollUp: ReportRollUp,
    private readonly progress: Progress,
    private readonly rollUps: RollUps,
    private readonly dirtyBuckets: DirtyBuckets,
    private readonly tiers: TierDocumentsRepository,
    private readonly collections: RangedCollections,
    private readonly buckets: Buckets,
    private readonly history: VitalsHistory,
    private readonly vitals: VitalsDaysRepository,
    private readonly bottles: BottlesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
  ) {}

  /**
   * Only reads, but for the roll-ups that are due anyhow.
   *
   * @param range widened to whole hours; by tags these are hours of the wall clock where the bottles are. Days are
   *   compared where they are wholly in it.
   * @param heartbeatsSince older ones are no longer in the log: what was counted of them is not compared.
   */
  async verify(range: ComparedRange, clock: { now(): Date }, heartbeatsSince: Date): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const portion of portions(range)) {
      found.push(...(await this.reports(portion, clock, heartbeatsSince)));
      found.push(...(await this.days(portion, heartbeatsSince)));
      for (const metric of ROLLED_METRICS) found.push(...(await this.written(metric, portion, clock)));
    }
    return found;
  }

  /**
   * Verifies, and makes the counts what the logs say. They go on to follow the log meanwhile. Doing it again changes
   * nothing; one at a time does it.
   *
   * @returns what differed before.
   */
  rebuild(range: ComparedRange, clock: { now(): Date }, heartbeatsSince: Date): Promise<Difference[]> {
    const beginning = (): Promise<Date> => Promise.resolve(clock.now());
    return this.progress.held('rebuild', clock, beginning, async (lease) => {
      const differing = await this.verify(range, clock, heartbeatsSince);
      const tally = new Tally();
      for (const { mend, counted, logged } of differing)
        await mend({ tally, missing: logged - counted, now: clock.now() });
      await lease.hold();
      await this.buckets.add(tally);
      await this.rollUps.run(clock);
      return differing;
    });
  }

  /** What bottles sent: in the tiers and by tags. */
  private async reports(
    range: ComparedRange,
    clock: { now(): Date },
    heartbeatsSince: Date,
  ): Promise<Difference[]> {
    const ledger = new Ledger();
    // what was received before `until` has been counted, and nothing else
    const until = await this.reportRollUp.standing(clock, async (lease) => {
      await this.readTiers(ledger, 'reports', range);
      for (const { pills_taken, doses, ...slot } of await readTaken(this.collections, range)) {
        ledger.counted(takenPlace(slot, 'pills_taken'), pills_taken);
        ledger.counted(takenPlace(slot, 'doses'), doses);
      }
      await lease.hold();
      return lease.until;
    });
    const now = clock.now();
    const minutes = await this.heartbeats.countByMinute(range.from, range.to < until ? range.to : until);
    for (const { minute, count } of minutes)
      for (const tier of tiersOf(minute, minute))
        ledger.logged(this.placeOf('reports', tier, minute, 'heartbeats'), count);
    for await (const bottles of this.bottles.pages(PAGE))
      await this.addActions(ledger, bottles, range, until);
    return ledger
      .differences()
      .filter(({ kind, bucket }) => kind !== 'reports heartbeats' || bucket >= heartbeatsSince)
      .filter((one) => isCompared(one, range, now));
  }

  private async readTiers(ledger: Ledger, metric: Metric, { from, to }: ComparedRange): Promise<void> {
    for (const tier of TIER_NAMES) {
      const documents = await this.tiers.find(tier, metric, spansBetween(TIERS[tier].document, from, to));
      for (const { at, counts } of documents.flatMap((document) => valuesOf(tier, document)))
        for (const [key, count] of Object.entries(counts))
          ledger.counted(this.placeOf(metric, tier, at, key), count);
    }
  }

  /** Actions have no index by event time (the lab has none), so they are read bottle by bottle. */
  private async addActions(
    ledger: Ledger,
    bottles: readonly Bottle[],
    { from, to }: ComparedRange,
    until: Date,
  ): Promise<void> {
    const byId = new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle]));
    const actions = await this.actions.findOfBottles(
      bottles.map(({ _id }) => _id),
      new Date(from.getTime() - ZONES_APART),
      new Date(to.getTime() + ZONES_APART),
    );
    for (const { bottle_id, time, action, received_at, medication, pills_taken = 0 } of actions) {
      if (received_at >= until) continue;
      for (const tier of tiersOf(time, startOf('minute', received_at))) {
        ledger.logged(this.placeOf('reports', tier, time, action), 1);
        ledger.logged(this.placeOf('reports', tier, time, 'pills_taken'), pills_taken);
      }
      const time_zone = zoneAt(byId.get(bottle_id.toHexString())!, time);
      for (const slot of takenSlots({ time, medication, pills_taken, time_zone })) {
        ledger.logged(takenPlace(slot, 'pills_taken'), pills_taken);
        ledger.logged(takenPlace(slot, 'doses'), 1);
      }
    }
  }

  /** The vitals of bottles, of the whole days that have documents and of which the log has all heartbeats. */
  private async days({ from, to }: ComparedRange, heartbeatsSince: Date): Promise<Difference[]> {
    const until = await this.history.until();
    const days = spansBetween('day', from, to).filter(
      (day) => day >= from && endOf('day', day) <= to && day < until && day >= heartbeatsSince,
    );
    if (days.length === 0) return [];
    const found: Difference[] = [];
    for await (const bottles of this.bottles.pages(PAGE)) {
      const ids = bottles.map(({ _id }) => _id);
      const heartbeats = await this.heartbeats.findOfBottles(ids, days[0]!, endOf('day', days.at(-1)!));
      const ledger = new Ledger();
      for (const day of await this.vitals.find(ids, days))
        for (const [place, count] of this.samplesOf(day)) ledger.counted(place, count);
      for (const day of daysOf(heartbeats))
        for (const [place, count] of this.samplesOf(day)) ledger.logged(place, count);
      found.push(...ledger.differences());
    }
    return found;
  }

  /** How many samples a bottle's day has of each vital. */
  private samplesOf({ _id: { bottle_id, timestamp }, hours }: VitalsDay): [Place, number][] {
    return Object.values(hours).flatMap((sampled) =>
      VITAL_NAMES.map((vital): [Place, number] => [
        {
          tier: 'vitals',
          bucket: timestamp,
          kind: `${bottle_id.toHexString()} ${vital}`,
          mend: () => this.history.write([{ _id: bottle_id }], timestamp),
        },
        sampled[vital]?.num_samples ?? 0,
      ]),
    );
  }

  /** Doses, alerts or messages: an hour that is marked has changed, and is rolled up before it is called wrong. */
  private async written(
    metric: RolledMetric,
    range: ComparedRange,
    clock: { now(): Date },
  ): Promise<Difference[]> {
    for (let comparison = 1; ; comparison += 1) {
      await this.rollUps.run(clock);
      const now = clock.now();
      const ledger = new Ledger();
      await this.readTiers(ledger, metric, range);
      for (const { minute, key, count } of await this.rollUps.countByMinute(metric, range.from, range.to))
        for (const tier of TIER_NAMES) ledger.logged(this.placeOf(metric, tier, minute, key), count);
      const since = keptSince(metric, now);
      const differing = ledger
        .differences()
        .filter((one) => one.bucket >= since && isCompared(one, range, now));
      if (differing.length === 0 || comparison === COMPARISONS) return differing;
    }
  }

  /** The number of a tier that counts what happened at `at`. */
  private placeOf(metric: Metric, tier: TierName, at: Date, key: string): Place {
    const { start, field } = slotOf(tier, at);
    const bucket = timeOfSlot(tier, { start, field });
    return {
      tier,
      bucket,
      kind: `${metric} ${key}`,
      mend: ({ tally, missing, now }) =>
        metric === 'reports'
          ? tally.add(tierBucket(tier, metric, start), `values.${field}.${key}`, missing)
          : this.dirtyBuckets.add(markedFor(metric), [bucket], now),
    };
  }
}

/** What is marked so that a metric is counted again. */
function markedFor(metric: RolledMetric): LoggedMetric {
  return LOGGED_METRICS.find((logged) => COUNTED_WITH[logged].includes(metric))!;
}

/** Whether a bucket lies wholly in the range, and its tier is still kept. */
function isCompared({ tier, bucket }: Place, { from, to }: ComparedRange, now: Date): boolean {
  if (tier === 'tags' || tier === 'vitals') return bucket >= from && bucket < to;
  const end = bucket.getTime() + TIERS[tier].step;
  return bucket >= from && end <= to.getTime() && tiersOf(bucket, now).includes(tier);
}

function takenPlace(slot: TakenSlot, key: keyof Taken): Place {
  const zone = slot.time_zone === ALL_ZONES ? 'all zones' : slot.time_zone;
  return {
    tier: 'tags',
    bucket: slot.shown,
    kind: `${slot.medication}, ${zone}: ${key}`,
    mend: ({ tally, missing }) => addTaken(tally, slot, key, missing),
  };
}

/** A range widened to whole hours, in parts. */
function portions({ from, to }: ComparedRange): ComparedRange[] {
  const found: ComparedRange[] = [];
  const last = endOf('hour', new Date(to.getTime() - 1));
  for (let start = startOf('hour', from); start < last;) {
    const end = new Date(Math.min(startOf('day', start).getTime() + PORTION, last.getTime()));
    found.push({ from: start, to: end });
    start = end;
  }
  return found;
}
