import { CHECKS } from '../alert-kinds/index.js';
import type { NotifierConfig } from '../config.js';

const EVERY_SECOND = '* * * * * *';
const EVERY_10_SECONDS = '*/10 * * * * *';
const EVERY_MINUTE = '20 * * * * *';
const EVERY_HOUR = '40 50 * * * *';

export type Crons = ReturnType<typeof cronsOf>;

/** When the jobs run: cron expressions in UTC, by name. `deliver` is that of each channel's own job. */
export function cronsOf(config: NotifierConfig) {
  return {
    checks: new Map(CHECKS.map(({ deadline, cron }) => [deadline, cron(config)])),
    coverage: EVERY_10_SECONDS,
    'coverage-gaps': EVERY_10_SECONDS,
    reconcile: config.RECONCILE_CRON,
    charts: EVERY_MINUTE,
    'charts-of-bottles': EVERY_MINUTE,
    'renew-charts': EVERY_HOUR,
    escalate: EVERY_SECOND,
    deliver: EVERY_SECOND,
    'webhook-endpoints': EVERY_SECOND,
    receipts: EVERY_SECOND,
    'refused-addresses': EVERY_MINUTE,
    'next-doses': EVERY_10_SECONDS,
    canaries: EVERY_HOUR,
    'test-messages': EVERY_SECOND,
    'verify-addresses': EVERY_10_SECONDS,
  } as const;
}
