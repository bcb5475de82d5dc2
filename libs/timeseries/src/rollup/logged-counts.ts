import {
  AlertsRepository,
  DeliveriesRepository,
  DoseOutcomesRepository,
  type MinuteCount,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Metric } from '../counting/reports.js';
import { DAY, MINUTE } from '../time/units.js';
import type { Value } from '../tiers/tier-document.js';

/** Metrics that are counted from what the notifier writes, and not as it writes. */
export const LOGGED_METRICS = ['doses', 'alerts', 'deliveries'] as const satisfies Metric[];
export type LoggedMetric = (typeof LOGGED_METRICS)[number];

/** Messages are deleted after 90 days; a day before that their counts are left as they are. */
const MESSAGES_KEPT = 89 * DAY;

/**
 * Counts doses by outcome (by the slot), alerts by kind (by when they were raised) and messages by what became of
 * them (by when they were made). They are few beside the reports, and change afterwards: an hour is counted anew.
 */
@Injectable()
export class LoggedCounts {
  constructor(
    private readonly outcomes: DoseOutcomesRepository,
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /**
   * A value for every minute of [from, to) that has begun: where nothing was, nothing happened.
   *
   * @returns undefined when the log is past keeping.
   */
  async count(metric: LoggedMetric, from: Date, to: Date, now: Date): Promise<Value[] | undefined> {
    if (from < this.keptSince(metric, now)) return undefined;
    const values = new Map<number, Value>();
    const end = Math.min(to.getTime(), now.getTime() + 1);
    for (let time = from.getTime(); time < end; time += MINUTE) values.set(time, emptyAt(time));
    for (const { minute, key, count } of await this.countByMinute(metric, from, to)) {
      const value = values.get(minute.getTime()) ?? emptyAt(minute.getTime());
      value.counts[key] = (value.counts[key] ?? 0) + count;
      values.set(minute.getTime(), value);
    }
    return [...values.values()];
  }

  /** What was written down earlier may be gone. */
  keptSince(metric: LoggedMetric, now: Date): Date {
    return new Date(metric === 'deliveries' ? now.getTime() - MESSAGES_KEPT : 0);
  }

  /** How many there are in [from, to), by minute and key. */
  countByMinute(metric: LoggedMetric, from: Date, to: Date): Promise<MinuteCount[]> {
    switch (metric) {
      case 'doses':
        return this.outcomes.countByMinute(from, to);
      case 'alerts':
        return this.alerts.countByMinute(from, to);
      case 'deliveries':
        return this.deliveries.countByMinute(from, to);
    }
  }
}

function emptyAt(time: number): Value {
  return { at: new Date(time), counts: {} };
}
