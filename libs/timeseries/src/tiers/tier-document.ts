import type { Metric } from '../counting/reports.js';
import { slotOf, timeOfSlot, type TierName } from './tiers.js';

export type KeyCounts = Record<string, number>;
/** Under numbered fields. */
export type Numbered<T> = Record<string, T>;

/** One document of a tier. */
export interface TierDocument {
  _id: { metric: Metric; timestamp: Date };
  values?: Numbered<KeyCounts>;
  /** In how many minutes, of how many processes, someone was there to count. */
  listening?: Numbered<number>;
  /** Of reports: the minute of receipt up to which everything has been counted here, inclusive. */
  applied?: Date;
  /** Of what is rolled up: when it was read, by field. */
  rolled_at?: Numbered<Date>;
}

/** What a tier counted from `at` on; without any count someone was there to count, and nothing came. */
export interface Value {
  at: Date;
  counts: KeyCounts;
}

/** The values of a document, in no order. A field that nobody has touched is not among them: it is a gap. */
export function valuesOf(
  tier: TierName,
  { _id, values = {}, listening = {} }: Pick<TierDocument, '_id' | 'values' | 'listening'>,
): Value[] {
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
