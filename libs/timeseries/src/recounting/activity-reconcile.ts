import { Injectable } from '@nestjs/common';
import { Comparison, type ComparedRange } from '../comparing/comparison.js';
import { type LogPage, ReportLog } from '../comparing/report-log.js';
import { ALWAYS_COMPARED } from '../recorder/activity-recorder.js';
import { WriterJournal, type WriterEntry } from '../recorder/writer-journal.js';
import { homeOf } from '../tiers/tiers.js';
import { DAY, endOf, HOUR, MINUTE, SECOND, startOf } from '../time/units.js';
import { Recounts } from './recounts.js';

/** A process that counts and says nothing for so long is dead, or as good as that. Milliseconds. */
const DEAD_AFTER = 90 * SECOND;
/** What a dead process had received and not counted, it had received within this time. Milliseconds. */
const LAST_WORDS = 10 * MINUTE;
/** A report waits no longer between its receipt and its being counted. Milliseconds. */
const IN_FLIGHT = MINUTE;
/** How often it runs, and a little. Milliseconds. */
const INTERVAL = 1.5 * HOUR;
/** Hours nearer than this are compared in one walk of the fleet. Milliseconds. */
const NEAR = 2 * DAY;

export interface ReconciledActivity {
  /** Counts that were not what the log says. */
  differing: number;
  /** Units that are being counted anew because of that; done a minute later, see {@link Recounts.finishDue}. */
  recounting: number;
}

/**
 * The hourly comparison of what was counted with the logs: the last hours, and whatever a process that died or lost
 * counts may have left out. What differs is counted anew. In a healthy system nothing does.
 */
@Injectable()
export class ActivityReconcile {
  constructor(
    private readonly comparison: Comparison,
    private readonly recounts: Recounts,
    private readonly journal: WriterJournal,
    private readonly log: ReportLog,
  ) {}

  /** @param rate no more bottles a second. */
  async run(
    clock: { now(): Date },
    heartbeatsSince: Date,
    rate = Number.POSITIVE_INFINITY,
    stopping = () => false,
  ): Promise<ReconciledActivity> {
    const now = clock.now();
    const deadBefore = new Date(now.getTime() - DEAD_AFTER);
    const suspects = await this.journal.findSuspect(deadBefore);
    const result = { differing: 0, recounting: 0 };
    const recent = { from: startOf('hour', new Date(now.getTime() - ALWAYS_COMPARED - INTERVAL)), to: now };
    for (const range of near([recent, ...suspects.flatMap(touchedBy)], now)) {
      if (stopping()) return result;
      const differing = await this.comparison.homes(range, now, heartbeatsSince, rate);
      if (differing.length > 0 || suspects.length > 0) {
        const days = {
          from: new Date(startOf('day', range.from).getTime() - DAY),
          to: new Date(endOf('day', range.to).getTime() + DAY),
        };
        const heard = (page: LogPage): Promise<LogPage> => this.heardIn(page, suspects.flatMap(lossesOf));
        const all = await this.comparison.reports(days, now, clock, heartbeatsSince, heard, rate);
        // what may be right is made anew, too: nobody looks again
        differing.push(...all.filter(({ unit }) => unit));
      }
      result.differing += differing.filter(({ sure }) => sure).length;
      result.recounting += await this.recounts.begin(
        differing.flatMap(({ unit }) => unit ?? []),
        clock,
      );
    }
    for (const suspect of suspects) await this.journal.settle(suspect, deadBefore);
    return result;
  }

  /** Only the bottles of which something was received in these spans. */
  private async heardIn(page: LogPage, spans: ComparedRange[]): Promise<LogPage> {
    const heard = new Set<string>();
    for (const { from, to } of spans) {
      for (const { bottle_id } of await this.log.heartbeatsOf(page.bottles, from, to))
        heard.add(bottle_id.toHexString());
      for (const { bottle_id, received_at } of page.actions)
        if (received_at >= from && received_at < to) heard.add(bottle_id.toHexString());
    }
    return { ...page, bottles: page.bottles.filter(({ _id }) => heard.has(_id.toHexString())) };
  }
}

/** When a process received what it did not count, or may not have. */
function lossesOf({ counted_until, ended, lost }: WriterEntry): ComparedRange[] {
  const last = {
    from: new Date(counted_until.getTime() - IN_FLIGHT),
    to: new Date(counted_until.getTime() + LAST_WORDS),
  };
  return [...lost, ...(ended ? [] : [last])];
}

/** The times of the events that may be missing: those of the spans, and the hours that were announced. */
function touchedBy(entry: WriterEntry): ComparedRange[] {
  const hours = [...entry.hours, ...entry.lost.flatMap((loss) => loss.hours)];
  return [
    ...hours.map((hour) => ({ from: hour, to: endOf('hour', hour) })),
    ...lossesOf(entry).map(({ from, to }) => ({ from: new Date(from.getTime() - ALWAYS_COMPARED), to })),
  ];
}

/** Ranges in whole hours, or in whole days where hours are past keeping; those near each other as one. */
function near(ranges: readonly ComparedRange[], now: Date): ComparedRange[] {
  const whole = ranges
    .map(({ from, to }) => {
      const span = homeOf(from, now) === '1d' ? 'day' : 'hour';
      return { from: startOf(span, from), to: endOf(span, to) };
    })
    .sort((one, other) => one.from.getTime() - other.from.getTime());
  const joined: ComparedRange[] = [];
  for (const range of whole) {
    const last = joined.at(-1);
    if (!last || range.from.getTime() - last.to.getTime() > NEAR) joined.push({ ...range });
    else if (range.to > last.to) last.to = range.to;
  }
  return joined;
}
