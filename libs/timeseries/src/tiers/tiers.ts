import { MINUTE_MS, HOUR_MS, DAY_MS } from '#domain';
import type { Metric } from './metrics.js';
import { endOf, startOf, type Span } from '../time/units.js';

/** Copies of the same counts at several granularities; the finer, the sooner they go. */
export const TIER_NAMES = ['1m', '5m', '1h', '1d'] as const;
export type TierName = (typeof TIER_NAMES)[number];

interface Tier {
  /** What one value counts. Milliseconds. */
  step: number;
  /** What one document holds, under numbered fields. */
  document: Span;
  /** The unit of those numbers: `values.37` is the minute 37 of the hour. Milliseconds. */
  numbered: number;
}

export const TIERS: Record<TierName, Tier> = {
  '1m': { step: MINUTE_MS, document: 'hour', numbered: MINUTE_MS },
  '5m': { step: 5 * MINUTE_MS, document: 'hour', numbered: MINUTE_MS },
  '1h': { step: HOUR_MS, document: 'day', numbered: HOUR_MS },
  '1d': { step: DAY_MS, document: 'year', numbered: DAY_MS },
};

/** For how long the finest two tiers are kept after the end of their day, and hours after that of their month. */
export const MINUTES_KEPT = 2 * DAY_MS;
export const HOURS_KEPT = 62 * DAY_MS;

/**
 * The tiers that hold an instant, the finest first. A collection outlives this by some hours, so nobody counts into
 * one that is dropped.
 */
export function tiersOf(at: Date, now: Date): readonly TierName[] {
  if (now.getTime() < endOf('day', at).getTime() + MINUTES_KEPT) return TIER_NAMES;
  return now.getTime() < endOf('month', at).getTime() + HOURS_KEPT ? ['1h', '1d'] : ['1d'];
}

/** Where one value of a tier lies: the document's start and the numbered field. */
export interface Slot {
  start: Date;
  field: number;
}

/** The document and the field that count what happened at `at`. */
export function slotOf(tier: TierName, at: Date): Slot {
  const { document, step, numbered } = TIERS[tier];
  const start = startOf(document, at);
  const steps = Math.floor((at.getTime() - start.getTime()) / step);
  return { start, field: (steps * step) / numbered };
}

/** When the value of a slot begins. */
export function timeOfSlot(tier: TierName, { start, field }: Slot): Date {
  return new Date(start.getTime() + field * TIERS[tier].numbered);
}

export type KeyCounts = Record<string, number>;

/** One document of a tier, by numbered fields. */
export interface TierDocument {
  _id: { metric: Metric; timestamp: Date };
  values?: Record<string, KeyCounts>;
  /** In how many minutes, of how many processes, someone was there to count. */
  listening?: Record<string, number>;
  /** Of reports: the minute of receipt up to which everything has been counted here, inclusive. */
  applied?: Date;
  /** Of what is counted again: when it was read; in tiers by the hour and day by field. */
  rolled_at?: Date | Record<string, Date>;
}

/** What a tier counted from `at` on; without any count someone was there to count, and nothing came. */
export interface Value {
  at: Date;
  counts: KeyCounts;
}

/** The values of a document, in no order. A field that nobody has touched is not among them: it is a gap. */
export function valuesOf(tier: TierName, { _id, values = {}, listening = {} }: TierDocument): Value[] {
  return Object.keys({ ...listening, ...values }).map((field) => ({
    at: timeOfSlot(tier, { start: _id.timestamp, field: Number(field) }),
    counts: values[field] ?? {},
  }));
}

/** Adds values of a finer tier up into the fields of a coarser one. */
export function rollUp(tier: TierName, values: readonly Value[]): Map<number, KeyCounts> {
  const fields = new Map<number, KeyCounts>();
  for (const { at, counts } of values) {
    const { field } = slotOf(tier, at);
    const sums = fields.get(field) ?? {};
    for (const [key, count] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + count;
    fields.set(field, sums);
  }
  return fields;
}
