import { type Job, WATCH_MS } from './job.js';
import type { Ticks } from './ticks.js';

/** Until when all of these checks have run: each counts as running until its next tick is due. */
export function ranUntil(
  checks: readonly { job: Pick<Job, 'idleMs'>; ticks: Pick<Ticks, 'interval'> }[],
  now: Date,
): Date {
  const overdue = checks
    // most have just run, and intervals take long to compute
    .filter(({ job }) => job.idleMs > WATCH_MS)
    .map(({ job, ticks }) => job.idleMs - ticks.interval() - WATCH_MS);
  return new Date(now.getTime() - Math.max(0, ...overdue));
}
