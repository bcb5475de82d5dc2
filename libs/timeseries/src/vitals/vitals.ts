import type { SampledField, Samples } from '#persistence';

/** The vitals of a bottle: the chart's name and the log's field. */
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

/** Samples of heartbeats, by vital. */
export type Sampled = Partial<Record<Vital, Sums>>;

/** The sums of two sets of samples together. */
export function addSums(sums: Sums | undefined, { num_samples, total, min, max }: Sums): Sums {
  return {
    num_samples: (sums?.num_samples ?? 0) + num_samples,
    total: (sums?.total ?? 0) + total,
    min: Math.min(sums?.min ?? min, min),
    max: Math.max(sums?.max ?? max, max),
  };
}
