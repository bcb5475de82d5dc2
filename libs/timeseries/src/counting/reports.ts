import { collectionOf } from '../collections/families.js';
import { homeOf, slotOf } from '../tiers/tiers.js';
import type { Tally, Unit } from './tally.js';

/** What is counted in tiers; each is one document an hour, day or year with several keys. */
export const METRICS = ['reports', 'doses', 'alerts', 'deliveries'] as const;
export type Metric = (typeof METRICS)[number];

/** The keys of `reports`, the metric that device-api counts. */
export const REPORT_KEYS = ['heartbeats', 'opened', 'closed', 'pills_taken'] as const;
export type ReportKey = (typeof REPORT_KEYS)[number];

/** The collection of a tier that holds an instant. */
export function tierCollection(tier: '1m' | '5m' | '1h' | '1d', at: Date): string {
  return tier === '1d' ? 'ts_1d' : collectionOf(`ts_${tier}`, at);
}

/** The name of a metric's document in any tier. */
export function tierKey(metric: Metric, start: Date): { _id: { metric: Metric; timestamp: Date } } {
  return { _id: { metric, timestamp: start } };
}

/**
 * Counts reports by the time of the log: of receipt for heartbeats, of the event for openings, closings and pills.
 * What comes too late for the minutes is counted into the hour or the day, beside what was rolled up.
 */
export function countReports(tally: Tally, at: Date, now: Date, key: ReportKey, amount = 1): void {
  if (amount === 0) return;
  const { unit, field, late } = reportsUnit(at, now);
  if (late) return tally.add(unit, `late.${field}.${key}`, amount);
  tally.add(unit, `values.${field}.${key}`, amount);
  tally.add(unit, `sums.${key}`, amount);
}

/** The unit in which reports of a moment are counted. */
export function reportsUnit(at: Date, now: Date): { unit: Unit; field: number; late: boolean } {
  const tier = homeOf(at, now);
  const { start, field } = slotOf(tier, at);
  const late = tier !== '1m';
  const unit: Unit = {
    collection: tierCollection(tier, start),
    key: tierKey('reports', start),
    part: late ? { kind: 'field', field } : { kind: 'document' },
  };
  return { unit, field, late };
}
