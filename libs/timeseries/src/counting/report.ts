import type { BottleAction, BottleHeartbeat } from '#persistence';
import { countLive } from './live.js';
import { countReports } from './reports.js';
import { countTaken } from './taken.js';
import type { Tally } from './tally.js';
import { countVitals, saysAnything } from './vitals.js';

/** A report that is new in the log, and the zone of its bottle at the time of the event. */
export type CountedReport =
  | { kind: 'heartbeat'; document: BottleHeartbeat }
  | { kind: 'action'; document: BottleAction; time_zone: string };

type Action = Pick<BottleAction, 'time' | 'action' | 'pills_taken' | 'medication'>;

/** Counts an action into the tiers and by its tags: the same for what comes in and for what is read from the log. */
export function countAction(tally: Tally, action: Action, timeZone: string, now: Date): void {
  const { time, action: key, pills_taken = 0, medication } = action;
  countReports(tally, time, now, key);
  countReports(tally, time, now, 'pills_taken', pills_taken);
  countTaken(tally, { time, pills_taken, medication, time_zone: timeZone });
}

/** Counts reports of one receipt everywhere but by the second of their bottles. */
export function countAll(tally: Tally, reports: readonly CountedReport[], receivedAt: Date): void {
  // nearly all are heartbeats of one time: these are counted together
  const heartbeats = new Map<number, number>();
  for (const report of reports) {
    const { document } = report;
    if (report.kind === 'action') {
      countAction(tally, report.document, report.time_zone, receivedAt);
      countLive(tally, report.document.action, receivedAt);
    } else {
      const time = document.time.getTime();
      heartbeats.set(time, (heartbeats.get(time) ?? 0) + 1);
    }
    if (saysAnything(document)) countVitals(tally, document, receivedAt);
  }
  for (const [time, count] of heartbeats) {
    countReports(tally, new Date(time), receivedAt, 'heartbeats', count);
    countLive(tally, 'heartbeats', receivedAt, count);
  }
}
