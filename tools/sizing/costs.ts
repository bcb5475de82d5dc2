import type { Cost, PeakRates } from './peak.js';

/**
 * What one of each costs, measured by `npm run bench -- actions morning deadlines` on 28 November 2026 with other work on
 * the two cores (docs/performance.md): single requests, as bottles without a hub send them, and one webhook a message.
 */
export const COSTS: Record<keyof PeakRates, Cost & { what: string; source: string }> = {
  heartbeats: { what: 'heartbeat', deviceApi: 195, notifier: 0, mongod: 140, source: 'lines 28, 29' },
  actions: { what: 'opening or closing', deviceApi: 285, notifier: 0, mongod: 329, source: 'lines 28, 29' },
  judged: { what: 'dose looked at', deviceApi: 0, notifier: 388, mongod: 360, source: 'line 26' },
  late: {
    what: 'alert and message',
    deviceApi: 0,
    notifier: 1_729,
    mongod: 996,
    source: 'line 21, of a lid, four notifiers',
  },
};

/** Lines 12 and 32: what a report costs mongod among 3M bottles ÷ among 30K. A shard of the lab's fleet has more. */
export const LARGE_FLEET = 1.5;
/** The part of its time that a process or a machine may be busy at the peak. */
export const MOST_BUSY = 0.6;
/** Of the machine that a shard's primary runs on. */
export const SHARD_CORES = 8;
