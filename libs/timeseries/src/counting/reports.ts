import { collectionOf } from '../collections/families.js';
import { slotOf, tiersOf, type TierName } from '../tiers/tiers.js';
import type { Bucket, Tally } from './tally.js';

/** What is counted in tiers; each is one document an hour, day or year with several keys. */
export const METRICS = ['reports', 'doses', 'alerts', 'deliveries'] as const;
export type Metric = (typeof METRICS)[number];

/** The keys of `reports`, the metric that follows the log of what bottles send. */
export const REPORT_KEYS = ['heartbeats', 'opened', 'closed', 'pills_taken'] as const;
export type ReportKey = (typeof REPORT_KEYS)[number];

/** The collection of a tier that holds an instant. */
export function tierCollection(tier: TierName, at: Date): string {
  return tier === '1d' ? 'ts_1d' : collectionOf(`ts_${tier}`, at);
}

/** The name of a metric's document in any tier. */
export function tierKey(metric: Metric, start: Date): { _id: { metric: Metric; timestamp: Date } } {
  return { _id: { metric, timestamp: start } };
}

/** The document of a tier that counts reports of an instant, and its numbered field. */
export function reportsBucket(tier: TierName, at: Date): { bucket: Bucket; field: number } {
  const { start, field } = slotOf(tier, at);
  return { bucket: { collection: tierCollection(tier, start), key: tierKey('reports', start) }, field };
}

/**
 * Counts reports at their time: of receipt for heartbeats, of the event for openings, closings and pills. They count
 * in every tier that held this time when they were received.
 *
 * @param receivedIn the minute of receipt.
 */
export function countReports(tally: Tally, at: Date, receivedIn: Date, key: ReportKey, amount = 1): void {
  if (amount === 0) return;
  for (const tier of tiersOf(at, receivedIn)) {
    const { bucket, field } = reportsBucket(tier, at);
    tally.add(bucket, `values.${field}.${key}`, amount);
  }
}

/** A minute in which a device-api process listened is no gap, even if nothing came. */
export function countListening(tally: Tally, minute: Date, processes: number): void {
  if (processes === 0) return;
  for (const tier of tiersOf(minute, minute)) {
    const { bucket, field } = reportsBucket(tier, minute);
    tally.add(bucket, `listening.${field}`, processes);
  }
}
