import { HOUR_MS, DAY_MS, MINUTE_MS } from '#domain';
import { BottleActionsRepository, BottleHeartbeatsRepository, type Samples } from '#persistence';
import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import { endOf, floor, spansBetween, startOf } from '../time/units.js';
import { offsetAt } from '../time/wall-clock.js';
import { boundariesOf } from './boundaries.js';
import { averages, type Chart, chartOf, type Layout, typicalSpacing } from './columns.js';
import type { ChartRange } from './fleet-plan.js';
import { MOST_DOCUMENTS, MOST_POINTS, type Step, STEPS, TooManyPointsError } from './steps.js';
import { type VitalsDay, VitalsDaysRepository } from '../vitals/vitals-days.repository.js';
import { VitalsHistory } from '../vitals/vitals-history.js';
import { type Vital, VITALS } from '../vitals/vitals.js';

const LABELS: Record<Vital, [label: string, unit: string]> = {
  battery: ['Battery', '%'],
  signal: ['Signal', 'dBm'],
  mass: ['Mass', 'g'],
  pills: ['Pills', 'pills'],
};
/** Steps of a bottle's charts. */
export const VITALS_STEPS: Step[] = ['1s', '1m', '5m', '15m', '30m', '1h', '3h', '6h', '1d', '7d'];

/** The vitals of a bottle. An average of any span is that of its samples, not of its parts' averages. */
@Injectable()
export class VitalsCharts {
  constructor(
    private readonly history: VitalsHistory,
    private readonly days: VitalsDaysRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly actions: BottleActionsRepository,
  ) {}

  /**
   * @param heartbeatsSince older ones are no longer in the log.
   * @throws TooManyPointsError when the step that was chosen is too fine for the range, or the range too long.
   */
  async chart(
    bottleId: Types.ObjectId,
    vital: Vital,
    range: ChartRange,
    heartbeatsSince: Date,
    now: Date,
  ): Promise<Chart> {
    const days = daysIn(range);
    const [first] = days;
    const drawn = first !== undefined && first > range.from ? { ...range, from: first } : range;
    const samples = await this.samples(bottleId, vital, drawn, days, heartbeatsSince);
    const layout = layOut(drawn, typicalSpacing(samples));
    const [label, unit] = LABELS[vital];
    const series = [
      { key: 'average', label, unit },
      { key: 'minimum', label: `${label}, lowest`, unit },
      { key: 'maximum', label: `${label}, highest`, unit },
    ];
    return chartOf(layout, series, averages(layout.boundaries, samples), now);
  }

  /** From the days' documents, by the hour; from the log what is drawn finer, or has no document yet. */
  private async samples(
    bottleId: Types.ObjectId,
    vital: Vital,
    range: ChartRange,
    days: readonly Date[],
    heartbeatsSince: Date,
  ): Promise<Samples[]> {
    const written = await this.history.until();
    const byHour = isOfWholeHours(range);
    const firstWhole = endOf('day', heartbeatsSince);
    const logged = byHour || written < firstWhole ? written : firstWhole;
    const unit = samplesUnit(range, byHour);
    // the points are whole steps, which may begin before the range and end after it
    const span = range.step !== 'auto' && STEPS[range.step] <= HOUR_MS ? 'hour' : 'day';
    const [from, to] = [startOf(span, range.from), endOf(span, range.to)];
    const since = from < logged ? logged : from;
    const [documents, ...sampled] = await Promise.all([
      this.days.find(
        [bottleId],
        days.filter((day) => day < logged),
        hoursOf(vital),
      ),
      since < to ? this.heartbeats.sample(bottleId, VITALS[vital], { from: since, to, unit }) : [],
      vital === 'mass' || vital === 'pills'
        ? this.actions.sample(bottleId, VITALS[vital], { from, to, unit })
        : [],
    ]);
    return [...documents.flatMap((document) => samplesOf(document, vital)), ...sampled.flat()];
  }
}

/** The days that hold a range; of 49, which 48 days are that do not begin at midnight, the last 48. */
function daysIn({ from, to }: ChartRange): Date[] {
  const [first, last] = [floor(from, DAY_MS), floor(new Date(to.getTime() - 1), DAY_MS)];
  // checked before it is laid out: somebody may ask for a thousand years
  if ((last.getTime() - first.getTime()) / DAY_MS > MOST_DOCUMENTS)
    throw new TooManyPointsError(`at most ${MOST_DOCUMENTS} days a chart`);
  return spansBetween('day', from, to).slice(-MOST_DOCUMENTS);
}

/** How finely the log is added up in the database. */
function samplesUnit({ step }: ChartRange, byHour: boolean): 'second' | 'minute' | 'hour' {
  if (step === '1s') return 'second';
  return byHour ? 'hour' : 'minute';
}

/** What is drawn of a day by the hour. */
function hoursOf(vital: Vital): mongo.Document {
  return Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [`hours.${hour}.${vital}`, 1]));
}

/** Whether every point of the chart, whatever step is chosen for it, begins with an hour. */
function isOfWholeHours({ from, to, step, timeZone }: ChartRange): boolean {
  const least = step === 'auto' ? (to.getTime() - from.getTime()) / MOST_POINTS : STEPS[step];
  // no zone sets its clock by less than an hour and back within 48 days
  return least >= HOUR_MS && [from, to].every((at) => offsetAt(at, timeZone) % HOUR_MS === 0);
}

/**
 * With `auto` the finest step of at most 500 points that is no finer than the bottle reports: a heartbeat every 30
 * minutes makes a line, and what is missing a gap.
 */
function layOut(range: ChartRange, spacing: number): Layout {
  const span = range.to.getTime() - range.from.getTime();
  for (const step of VITALS_STEPS) {
    if (
      range.step === 'auto'
        ? STEPS[step] < Math.max(spacing, MINUTE_MS) && step !== '7d'
        : step !== range.step
    )
      continue;
    if (span / STEPS[step] > MOST_POINTS) continue;
    const boundaries = boundariesOf(range.from, range.to, step, range.timeZone);
    if (boundaries.length - 1 <= MOST_POINTS) return { step, boundaries, timeZone: range.timeZone };
  }
  throw new TooManyPointsError(`at most ${MOST_POINTS} points a chart`);
}

function samplesOf({ _id, hours }: VitalsDay, vital: Vital): Samples[] {
  return Object.entries(hours).flatMap(([hour, { [vital]: sums }]) =>
    sums ? [{ at: new Date(_id.timestamp.getTime() + Number(hour) * HOUR_MS), ...sums }] : [],
  );
}
