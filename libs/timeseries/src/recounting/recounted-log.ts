import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { actionMinutes, removalsOf, ReportLog } from '../comparing/report-log.js';
import { ZONES_APART } from '../comparing/tag-comparison.js';
import { countReports, type ReportKey, reportsUnit } from '../counting/reports.js';
import { countTaken } from '../counting/taken.js';
import { nameOf, Tally, type Unit } from '../counting/tally.js';
import { countVitals, saysAnything } from '../counting/vitals.js';
import { homeOf } from '../tiers/tiers.js';
import { DAY, endOf, HOUR } from '../time/units.js';

/** A unit that is counted anew. */
export interface Recount {
  _id: string;
  unit: Unit;
  begun_at: Date;
  /** What was received before this is counted from the log. */
  fence: Date;
  /** What the unit held when it was fenced, by path. Absent until that is noted. */
  held?: [path: string, count: number][];
}

/** What of the log a unit counts. */
export interface LogSpan {
  counts: 'reports' | 'tags' | 'vitals';
  from: Date;
  to: Date;
}

/** Units that are read in one walk of the fleet lie within this time. Milliseconds. */
const TOGETHER = 8 * DAY;

/** Which part of the log a unit counts; by tags, every moment that a clock somewhere may show as its hour. */
export function spanOf({ collection, key, part }: Unit): LogSpan {
  if (part.kind === 'hour') {
    const start = (key['date'] as Date).getTime() + part.day * DAY + part.hour * HOUR;
    return {
      counts: 'tags',
      from: new Date(start - ZONES_APART),
      to: new Date(start + HOUR + ZONES_APART),
    };
  }
  const start = (key['_id'] as { timestamp: Date }).timestamp;
  if (collection.startsWith('ts_vitals')) return { counts: 'vitals', from: start, to: endOf('day', start) };
  const length = collection === 'ts_1d' ? DAY : HOUR;
  const from = new Date(start.getTime() + (part.kind === 'field' ? part.field * length : 0));
  return { counts: 'reports', from, to: new Date(from.getTime() + length) };
}

/** Whether this unit is where its part of the log is counted by now: minutes turn into hours, and hours into days. */
export function isHome(unit: Unit, now: Date): boolean {
  const { counts, from } = spanOf(unit);
  if (counts === 'tags') return true;
  if (counts === 'vitals') return homeOf(from, now) !== '1d';
  return nameOf(reportsUnit(from, now).unit) === nameOf(unit);
}

/** Counts from the log what units are to hold. */
@Injectable()
export class RecountedLog {
  constructor(private readonly log: ReportLog) {}

  /** Divides units into groups that are near each other in time, to be read in one walk. */
  readTogether(recounts: readonly Recount[]): Recount[][] {
    const groups: { until: number; some: Recount[] }[] = [];
    const inOrder = recounts
      .map((recount) => ({ recount, from: spanOf(recount.unit).from.getTime() }))
      .sort((one, other) => one.from - other.from);
    for (const { recount, from } of inOrder) {
      const last = groups.at(-1);
      if (last && from < last.until) last.some.push(recount);
      else groups.push({ until: from + TOGETHER, some: [recount] });
    }
    return groups.map(({ some }) => some);
  }

  /** @param recounts all with one fence. */
  async count(recounts: readonly Recount[], heartbeatsSince: Date): Promise<Tally> {
    const tally = new Tally();
    const { fence, begun_at } = recounts[0]!;
    const spans = recounts.map(({ unit }) => spanOf(unit));
    const from = new Date(Math.min(...spans.map((span) => span.from.getTime())));
    const to = new Date(Math.max(...spans.map((span) => span.to.getTime())));
    const has = (counts: LogSpan['counts']): boolean => spans.some((span) => span.counts === counts);
    const countMinutes = (minutes: Awaited<ReturnType<ReportLog['heartbeatMinutes']>>): void => {
      for (const { minute, key, least } of minutes)
        countReports(tally, minute, begun_at, key as ReportKey, least);
    };
    const bottles = bottlesOf(recounts);
    for await (const page of this.log.walk(from, to)) {
      const received = page.actions.filter(({ received_at }) => received_at < fence);
      countMinutes(actionMinutes(received, fence));
      for (const removal of removalsOf({ ...page, actions: received })) countTaken(tally, removal);
      const some = page.bottles.filter(({ _id }) => bottles.has(_id.toHexString()));
      if (!has('vitals') || some.length === 0) continue;
      const heartbeats = await this.log.heartbeatsOf(some, from, to);
      for (const report of [...received, ...heartbeats.filter(({ time }) => time < fence)])
        if (bottles.has(report.bottle_id.toHexString()) && saysAnything(report))
          countVitals(tally, report, begun_at);
    }
    if (has('reports')) {
      const since = new Date(Math.max(from.getTime(), heartbeatsSince.getTime()));
      const until = new Date(Math.min(to.getTime(), fence.getTime()));
      if (since < until) countMinutes(await this.log.heartbeatMinutes(since, until, fence));
    }
    return tally;
  }
}

/** The bottles whose days are among the units. */
function bottlesOf(recounts: readonly Recount[]): Set<string> {
  return new Set(
    recounts.flatMap(({ unit }) => {
      const id = (unit.key['_id'] as { bottle_id?: Types.ObjectId } | undefined)?.bottle_id;
      return id ? [id.toHexString()] : [];
    }),
  );
}
