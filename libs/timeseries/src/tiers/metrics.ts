/** Metrics that are counted from what the notifier and staff write, and not as they write. */
export const LOGGED_METRICS = ['doses', 'statements', 'alerts', 'deliveries'] as const;
export type LoggedMetric = (typeof LOGGED_METRICS)[number];

/** What is counted in tiers; each is one document an hour, day or year with several keys. */
export const METRICS = ['reports', ...LOGGED_METRICS] as const;
export type Metric = (typeof METRICS)[number];
