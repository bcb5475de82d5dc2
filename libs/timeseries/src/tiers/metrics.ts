/** Metrics of which a change marks the hour: what the notifier and staff write. */
export const LOGGED_METRICS = ['doses', 'statements', 'alerts', 'deliveries'] as const;
export type LoggedMetric = (typeof LOGGED_METRICS)[number];

/** Metrics that are counted from what the notifier and staff write, and not as they write. */
export const ROLLED_METRICS = [...LOGGED_METRICS, 'adherence'] as const;
export type RolledMetric = (typeof ROLLED_METRICS)[number];

/** What is counted again when an hour of a metric has changed. */
export const COUNTED_WITH: Record<LoggedMetric, readonly RolledMetric[]> = {
  doses: ['doses', 'adherence'],
  statements: ['statements', 'adherence'],
  alerts: ['alerts'],
  deliveries: ['deliveries'],
};

/** What is counted in tiers; each is one document an hour, day or year with several keys. */
export const METRICS = ['reports', ...ROLLED_METRICS] as const;
export type Metric = (typeof METRICS)[number];
