import { groupBy, DAY_MS, MINUTE_MS } from '#domain';
import {
  AlertsRepository,
  AttestationsRepository,
  DeliveriesRepository,
  DoseOutcomesRepository,
  type MinuteCount,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { AdherenceCounts } from '../counting/adherence.js';
import { COUNTED_WITH, LOGGED_METRICS, type RolledMetric } from '../tiers/metrics.js';
import { TierDocumentsRepository } from '../tiers/tier-documents.repository.js';
import { tiersOf, type Value, valuesOf } from '../tiers/tiers.js';
import { endOf, spansBetween, startOf } from '../time/units.js';
import { DirtyBuckets } from './dirty-buckets.js';

/** Messages are deleted after 90 days; a day before that their counts are left as they are. Milliseconds. */
const MESSAGES_KEPT = 89 * DAY_MS;
/** What is written down with a time may become visible this much later. Milliseconds. */
const LATE_WRITES = 5 * MINUTE_MS;

/**
 * Counts doses by measured outcome and by what people report of them, and adherence both ways (all by the slot), alerts
 * by kind (by when they were raised) and messages by what became of them (by when they were made). They are few beside
 * the reports, and change afterwards. Every change marks its hour; a run counts the hours that are marked again,
 * whatever was done of them before, so it may be killed, repeated and run by several notifiers at once.
 */
@Injectable()
export class RollUps {
  private readonly logs: Record<
    RolledMetric,
    { countByMinute(from: Date, to: Date): Promise<MinuteCount[]> }
  >;

  constructor(
    private readonly dirtyBuckets: DirtyBuckets,
    private readonly documents: TierDocumentsRepository,
    doses: DoseOutcomesRepository,
    statements: AttestationsRepository,
    alerts: AlertsRepository,
    deliveries: DeliveriesRepository,
    adherence: AdherenceCounts,
  ) {
    this.logs = { doses, statements, alerts, deliveries, adherence };
  }

  async run(clock: { now(): Date }, stopping = () => false): Promise<void> {
    await this.addPresent(clock.now());
    const open = await this.dirtyBuckets.findOpen();
    const byHour = groupBy(open, ({ _id }) => _id.timestamp.getTime());
    for (const buckets of byHour.values()) {
      if (stopping()) return;
      const now = clock.now();
      const [{ _id: hour }] = buckets;
      // what several of them count again is counted once
      const metrics = new Set(buckets.flatMap(({ _id }) => COUNTED_WITH[_id.metric]));
      for (const metric of metrics) await this.countHour(metric, hour.timestamp, now);
      for (const bucket of buckets) await this.dirtyBuckets.settle(bucket, now);
    }
  }

  /** How many the log has in [from, to), by minute and key. */
  countByMinute(metric: RolledMetric, from: Date, to: Date): Promise<MinuteCount[]> {
    return this.logs[metric].countByMinute(from, to);
  }

  /** While a notifier runs, an hour in which nothing happened is no gap. */
  private async addPresent(now: Date): Promise<void> {
    const hours = spansBetween('hour', new Date(now.getTime() - LATE_WRITES), new Date(now.getTime() + 1));
    for (const metric of LOGGED_METRICS) await this.dirtyBuckets.add(metric, hours, now);
  }

  /** Counts an hour again, in every tier that holds it; its day, where hours are past keeping. */
  private async countHour(metric: RolledMetric, hour: Date, now: Date): Promise<void> {
    const tiers = tiersOf(hour, now);
    const span = tiers.includes('1h') ? 'hour' : 'day';
    const [from, to] = [startOf(span, hour), endOf(span, hour)];
    if (from < keptSince(metric, now)) return;
    const values = await this.valuesIn(metric, from, to, now);
    for (const tier of tiers)
      if (tier !== '1d' || span === 'day') await this.documents.set(tier, metric, from, values, now);
    if (span === 'day') return;
    const hours = await this.documents.find('1h', metric, [startOf('day', hour)]);
    await this.documents.set(
      '1d',
      metric,
      hour,
      hours.flatMap((day) => valuesOf('1h', day)),
      now,
    );
  }

  /** A value for every minute of [from, to) that has begun: where nothing was, nothing happened. */
  private async valuesIn(metric: RolledMetric, from: Date, to: Date, now: Date): Promise<Value[]> {
    const begun = spansBetween('minute', from, to).filter((minute) => minute <= now);
    const counted = await this.countByMinute(metric, from, to);
    return [
      ...begun.map((at) => ({ at, counts: {} })),
      ...counted.map(({ minute, key, count }) => ({ at: minute, counts: { [key]: count } })),
    ];
  }
}

/** What was written down earlier may be gone. */
export function keptSince(metric: RolledMetric, now: Date): Date {
  return new Date(metric === 'deliveries' ? now.getTime() - MESSAGES_KEPT : 0);
}
