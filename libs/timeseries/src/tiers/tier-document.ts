import type { Metric } from '../counting/reports.js';
import { slotOf, timeOfSlot, type TierName } from './tiers.js';

export type KeyCounts = Record<string, number>;
/** Under numbered fields. */
export type Numbered<T> = Record<string, T>;

/** One document of a tier. */
export interface TierDocument {
  _id: { metric: Metric; timestamp: Date };
  /** Counted here, or rolled up from the finer tier. */
  values?: Numbered<KeyCounts>;
  /** Sums of `values`. */
  sums?: KeyCounts;
  /** What came when the finer tier was past keeping; beside what was rolled up. */
  late?: Numbered<KeyCounts>;
  /** In how many minutes, of how many processes, someone was there to count. */
  listening?: Numbered<number>;
  /** When what was rolled up was read, by field. */
  rolled_at?: Numbered<Date>;
}

/** What a tier counted from `at` on; without any count someone was there to count, and nothing came. */
export interface Value {
  at: Date;
  counts: KeyCounts;
  /** Process minutes. */
  listening: number;
}

/** The values of a document, in no order. A field that nobody has touched is not among them: it is a gap. */
export function valuesOf(tier: TierName, document: TierDocument): Value[] {
  const fields = new Map<string, Value>();
  const at = (field: string): Value => {
    const slot = { start: document._id.timestamp, field: Number(field) };
    const value = fields.get(field) ?? { at: timeOfSlot(tier, slot), counts: {}, listening: 0 };
    fields.set(field, value);
    return value;
  };
  for (const counts of [document.values, document.late]) {
    for (const [field, keys] of Object.entries(counts ?? {})) add(at(field).counts, keys);
  }
  for (const [field, minutes] of Object.entries(document.listening ?? {})) at(field).listening += minutes;
  return [...fields.values()];
}

/** Adds values of a finer tier up into the fields of a coarser one. */
export function rollUp(tier: TierName, values: readonly Value[]): Map<number, Omit<Value, 'at'>> {
  const fields = new Map<number, Omit<Value, 'at'>>();
  for (const { at, counts, listening } of values) {
    const { field } = slotOf(tier, at);
    const sum = fields.get(field) ?? { counts: {}, listening: 0 };
    add(sum.counts, counts);
    sum.listening += listening;
    fields.set(field, sum);
  }
  return fields;
}

function add(sums: KeyCounts, counts: KeyCounts | undefined): void {
  for (const [key, count] of Object.entries(counts ?? {})) sums[key] = (sums[key] ?? 0) + count;
}
