import { collectionOf } from '../collections/ranged-collections.js';
import { slotOf, tiersOf, type TierName } from '../tiers/tiers.js';
import type { Metric } from '../tiers/metrics.js';
import type { Bucket, Tally } from './tally.js';

/** The keys of `reports`, the metric that follows the log of what bottles send. */
export const REPORT_KEYS = ['heartbeats', 'opened', 'closed', 'pills_taken'] as const;
type ReportKey = (typeof REPORT_KEYS)[number];

/** The document of a metric in a tier that begins at `start`. */
export function tierBucket(tier: TierName, metric: Metric, start: Date): Bucket {
  const collection = tier === '1d' ? 'ts_1d' : collectionOf(`ts_${tier}`, start);
  return { collection, key: { _id: { metric, timestamp: start } } };
}

/**
 * Counts reports at their time: of receipt for heartbeats, of the event for openings, closings and pills. They count
 * in every tier that held this time when they were received.
 *
 * @param receivedIn the minute of receipt.
 * @param key `listening` counts the device-api processes that were there in that minute.
 */
export function countReports(
  tally: Tally,
  at: Date,
  receivedIn: Date,
  key: ReportKey | 'listening',
  amount: number,
): void {
  if (amount === 0) return;
  for (const tier of tiersOf(at, receivedIn)) {
    const { start, field } = slotOf(tier, at);
    const path = key === 'listening' ? `listening.${field}` : `values.${field}.${key}`;
    tally.add(tierBucket(tier, 'reports', start), path, amount);
  }
}
