import { Injectable } from '@nestjs/common';
import { rollUp, type Value, valuesOf } from '../tiers/tier-document.js';
import { TierDocumentsRepository } from '../tiers/tier-documents.repository.js';
import { homeOf, slotOf } from '../tiers/tiers.js';
import { endOf, MINUTE, spansBetween, startOf } from '../time/units.js';
import { LOGGED_METRICS, LoggedCounts, type LoggedMetric } from './logged-counts.js';
import { type Mark, DirtyBuckets } from './marks.js';
import { RolledValuesRepository } from './rolled-values.repository.js';

const PAGE = 100;
/** What is written down with a time may become visible this much later. Milliseconds. */
const LATE_WRITES = 5 * MINUTE;

/**
 * Lets the coarser tiers follow. Every change marks its hour; a run rolls up the hours that are marked, whatever was
 * done of them before, so it may be killed, repeated and run by several notifiers at once.
 */
@Injectable()
export class RollUps {
  constructor(
    private readonly marks: DirtyBuckets,
    private readonly documents: TierDocumentsRepository,
    private readonly rolled: RolledValuesRepository,
    private readonly logged: LoggedCounts,
  ) {}

  /** @returns how many hours were rolled up. */
  async run(clock: { now(): Date }, stopping = () => false): Promise<number> {
    await this.markPresent(clock.now());
    const done = new Set<string>();
    for (;;) {
      // those that stay open come again: each once a run
      const open = (await this.marks.findOpen(PAGE + done.size)).filter((mark) => !done.has(nameOf(mark)));
      if (open.length === 0) return done.size;
      for (const mark of open) {
        if (stopping()) return done.size;
        const now = clock.now();
        await this.hour(mark._id.metric, mark._id.timestamp, now);
        await this.marks.settle(mark, now);
        done.add(nameOf(mark));
      }
    }
  }

  /** Rolls one hour up into every tier above the one that counted it. */
  async hour(metric: LoggedMetric, hour: Date, now: Date): Promise<void> {
    await this.countHour(metric, hour, now);
    const [minutes] = await this.documents.find('1m', metric, [hour]);
    if (minutes) await this.fromMinutes(metric, hour, valuesOf('1m', minutes), now);
    await this.day(metric, startOf('day', hour), now);
  }

  /** While a notifier runs, an hour in which nothing happened is no gap. */
  private async markPresent(now: Date): Promise<void> {
    const hours = spansBetween('hour', new Date(now.getTime() - LATE_WRITES), new Date(now.getTime() + 1));
    for (const metric of LOGGED_METRICS) await this.marks.add(metric, hours, now);
  }

  private async fromMinutes(metric: LoggedMetric, hour: Date, values: Value[], seenAt: Date): Promise<void> {
    await this.rolled.setHour('5m', metric, hour, rollUp('5m', values), seenAt);
    const { start, field } = slotOf('1h', hour);
    // the one dose of an hour to come may have been dropped again: that is no gap
    await this.rolled.setField('1h', metric, start, field, rollUp('1h', values).get(field) ?? {}, seenAt);
  }

  private async day(metric: LoggedMetric, day: Date, seenAt: Date): Promise<void> {
    const [hours] = await this.documents.find('1h', metric, [day]);
    if (!hours) return;
    const { start, field } = slotOf('1d', day);
    const sum = rollUp('1d', valuesOf('1h', hours)).get(field);
    if (sum) await this.rolled.setField('1d', metric, start, field, sum, seenAt);
  }

  /** Counts an hour of the log into the finest tier that is kept for it; a day, where hours are past keeping. */
  private async countHour(metric: LoggedMetric, hour: Date, now: Date): Promise<void> {
    const home = homeOf(hour, now);
    const [from, to] =
      home === '1d' ? [startOf('day', hour), endOf('day', hour)] : [hour, endOf('hour', hour)];
    const values = await this.logged.count(metric, from, to, now);
    if (!values) return;
    const { start, field } = slotOf(home, from);
    if (home === '1m') return this.rolled.setHour('1m', metric, start, rollUp('1m', values), now);
    const sum = rollUp(home, values).get(field);
    if (sum) await this.rolled.setField(home, metric, start, field, sum, now);
  }
}

function nameOf({ _id }: Mark): string {
  return `${_id.metric} ${_id.timestamp.toISOString()}`;
}
