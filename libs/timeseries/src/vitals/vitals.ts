import type { SampledField, Samples } from '#persistence';

/** What a bottle says of itself: the chart's name and the log's field. */
export const VITALS = {
  battery: 'battery_percent',
  signal: 'rssi_dbm',
  mass: 'mass_of_contents',
  pills: 'number_of_pills',
} as const satisfies Record<string, SampledField>;
export type Vital = keyof typeof VITALS;
export const VITAL_NAMES = Object.keys(VITALS) as Vital[];

/** From the number of samples and their sum every average is exact. */
export type Sums = Omit<Samples, 'at'>;

/** What heartbeats said, by vital. */
export type Sampled = Partial<Record<Vital, Sums>>;

/** Adds what a heartbeat said; what it did not say adds nothing. */
export function addSample(sampled: Sampled, said: Partial<Record<SampledField, number>>): void {
  for (const vital of VITAL_NAMES) {
    const value = said[VITALS[vital]];
    if (value === undefined) continue;
    const sums = (sampled[vital] ??= { num_samples: 0, total: 0, min: value, max: value });
    sums.num_samples += 1;
    sums.total += value;
    sums.min = Math.min(sums.min, value);
    sums.max = Math.max(sums.max, value);
  }
}
