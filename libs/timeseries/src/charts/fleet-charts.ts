import { type AdherenceCount, ALERT_KINDS, alertKindFacts, SECOND_MS } from '#domain';
import { Injectable } from '@nestjs/common';
import { LIVE_KINDS, liveBuckets, type LiveDocument } from '../counting/live.js';
import { REPORT_KEYS } from '../counting/reports.js';
import type { Metric } from '../tiers/metrics.js';
import { ReportRollUp } from '../report-roll-up/report-roll-up.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import { type Value, valuesOf } from '../tiers/tiers.js';
import { TierDocumentsRepository } from '../tiers/tier-documents.repository.js';
import { boundariesOf } from './boundaries.js';
import { type Chart, chartOf, type Series, shareColumn, sumColumns } from './columns.js';
import { type ChartRange, planFleetChart } from './fleet-plan.js';
import { MOST_POINTS, TooManyPointsError } from './steps.js';

const counted = (key: string, label: string, unit = 'count'): Series => ({ key, label, unit });

const REPORTS = {
  heartbeats: counted('heartbeats', 'Heartbeats'),
  opened: counted('opened', 'Opened'),
  closed: counted('closed', 'Closed'),
  pills_taken: counted('pills_taken', 'Pills taken', 'pills'),
  refused: counted('refused', 'Refused'),
};

/** The series of each fleet chart, in the order in which they are shown. */
export const FLEET_SERIES: Record<Metric, Series[]> = {
  reports: REPORT_KEYS.map((key) => REPORTS[key]),
  doses: [
    counted('taken_on_time', 'On time'),
    counted('taken_early', 'Early'),
    counted('taken_late', 'Late'),
    counted('partial', 'Partial'),
    counted('missed', 'Missed'),
    counted('unknown', 'Unknown'),
    counted('not_monitored', 'Not monitored'),
  ],
  statements: [
    counted('taken_on_time', 'On time'),
    counted('taken_early', 'Early'),
    counted('taken_late', 'Late'),
    counted('taken', 'Taken, time unknown'),
    counted('partial', 'Partial'),
    counted('skipped', 'Skipped'),
    counted('not_taken', 'Not taken'),
  ],
  adherence: [
    counted('measured_taken', 'Taken, as measured'),
    counted('measured_on_time', 'On time, as measured'),
    counted('measured_known', 'Known, as measured'),
    counted('reported_taken', 'Taken, with reports'),
    counted('reported_on_time', 'On time, with reports'),
    counted('reported_known', 'Known, with reports'),
    counted('attested', 'Attested'),
    counted('excused', 'Skipped on medical advice'),
  ],
  alerts: ALERT_KINDS.map((kind) => counted(kind, alertKindFacts(kind).series)),
  deliveries: [
    counted('delivered', 'Delivered'),
    counted('pending', 'Pending'),
    counted('dead', 'Dead'),
    counted('cancelled', 'Cancelled'),
  ],
};

/** Shares of what is counted, in percent, beside the counts. */
const SHARES: Partial<Record<Metric, { series: Series; of: [AdherenceCount, AdherenceCount] }[]>> = {
  adherence: [
    { series: counted('measured', 'As measured', '%'), of: ['measured_taken', 'measured_known'] },
    { series: counted('reported', 'With reports', '%'), of: ['reported_taken', 'reported_known'] },
    { series: counted('attested_share', 'From statements', '%'), of: ['attested', 'reported_known'] },
  ],
};

/** What the whole fleet did. */
@Injectable()
export class FleetCharts {
  constructor(
    private readonly documents: TierDocumentsRepository,
    private readonly collections: RangedCollections,
    private readonly reports: ReportRollUp,
  ) {}

  /** At any zoom. @throws TooManyPointsError when the step that was chosen is too fine for the range. */
  async chart(metric: Metric, range: ChartRange, now: Date): Promise<Chart> {
    const plan = planFleetChart(range, now);
    const [documents, counted] = await Promise.all([
      this.documents.find(plan.tier, metric, plan.documents),
      metric === 'reports' ? this.countedUntil(now) : now,
    ]);
    const values = documents.flatMap((document) => valuesOf(plan.tier, document));
    const series = FLEET_SERIES[metric];
    const keys = series.map(({ key }) => key);
    const columns = sumColumns(plan.boundaries, values, keys);
    const shares = SHARES[metric] ?? [];
    const shareColumns = shares.map(({ of: [part, whole] }) =>
      shareColumn(columns[keys.indexOf(part)]!, columns[keys.indexOf(whole)]!),
    );
    const all = [...series, ...shares.map((share) => share.series)];
    return chartOf(plan, all, [...columns, ...shareColumns], counted);
  }

  /** All reports that were received before this are counted. */
  async countedUntil(now: Date): Promise<Date> {
    return (await this.reports.countedUntil()) ?? now;
  }

  /** What comes in, by the second. @throws TooManyPointsError for more than 500 seconds. */
  async live(from: Date, to: Date, now: Date): Promise<Chart> {
    if ((to.getTime() - from.getTime()) / SECOND_MS > MOST_POINTS)
      throw new TooManyPointsError(`a live chart has at most ${MOST_POINTS} seconds`);
    const boundaries = boundariesOf(from, to, '1s', 'UTC');
    const buckets = liveBuckets(boundaries[0]!, boundaries.at(-1)!);
    const documents = await this.collections.find<LiveDocument>(buckets);
    const columns = sumColumns(boundaries, documents.flatMap(secondsOf), LIVE_KINDS);
    const series = LIVE_KINDS.map((kind) => REPORTS[kind]);
    return chartOf({ step: '1s', timeZone: 'UTC', boundaries }, series, columns, now);
  }
}

/** Zeros that were made ahead say nothing of whether someone was there to count. */
function secondsOf({ _id: { kind, timestamp_minute }, seconds = {}, listening }: LiveDocument): Value[] {
  const at = (second: number): Date => new Date(timestamp_minute.getTime() + second * SECOND_MS);
  const present = listening
    ? Array.from({ length: 60 }, (_, second) => ({ at: at(second), counts: {} }))
    : [];
  const counts = Object.entries(seconds).filter(([, count]) => count > 0);
  return [
    ...present,
    ...counts.map(([second, count]) => ({ at: at(Number(second)), counts: { [kind]: count } })),
  ];
}
