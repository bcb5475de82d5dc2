import { HOUR_MS } from '#domain';
import { Clock } from '#platform';
import { type Chart, compare, FleetCharts, sameHours } from '#timeseries';
import { Injectable } from '@nestjs/common';
import {
  COMPARED_METRICS,
  type ComparedDto,
  type ComparedMetric,
  type ComparisonQuery,
  type FleetComparisonDto,
} from './chart.dto.js';

const WEEKS = 4;

/** The last whole hour of the fleet, beside the same hour of the weeks before: what is unusual now. */
@Injectable()
export class ComparisonService {
  constructor(
    private readonly charts: FleetCharts,
    private readonly clock: Clock,
  ) {}

  async fleet({ time_zone = 'UTC' }: ComparisonQuery): Promise<FleetComparisonDto> {
    const now = this.clock.now();
    const counted = await this.charts.countedUntil(now);
    const to = new Date(Math.floor(Math.min(counted.getTime(), now.getTime()) / HOUR_MS) * HOUR_MS);
    const from = new Date(to.getTime() - HOUR_MS);
    const hours = [from, ...sameHours(from, WEEKS, time_zone)];
    const charts = await Promise.all(COMPARED_METRICS.map((metric) => this.ofHours(metric, hours, now)));
    // reports are counted in every hour in which somebody was there; other things only where there were any
    const counting = charts[0]!.map(({ columns }) => columns[1]?.[0] != null);
    const items = COMPARED_METRICS.flatMap((metric, index) => compared(metric, charts[index]!, counting));
    return {
      from,
      to,
      weeks: counting.slice(1).filter(Boolean).length,
      items: [...items.filter(({ unusual }) => unusual), ...items.filter(({ unusual }) => !unusual)],
    };
  }

  private ofHours(metric: ComparedMetric, hours: readonly Date[], now: Date): Promise<Chart[]> {
    return Promise.all(
      hours.map((from) => {
        const to = new Date(from.getTime() + HOUR_MS);
        return this.charts.chart(metric, { from, to, step: '1h', timeZone: 'UTC' }, now);
      }),
    );
  }
}

/** The series of a metric of which there is anything. */
function compared(
  metric: ComparedMetric,
  charts: readonly Chart[],
  counting: readonly boolean[],
): ComparedDto[] {
  const [last] = charts;
  return last!.series.flatMap(({ key, label }, index) => {
    const counts = charts.map(({ columns }, hour) => columns[index + 1]?.[0] ?? (counting[hour] ? 0 : null));
    const [now = null, ...before] = counts;
    const comparison = compare(now, before);
    const isEmpty = !comparison || (comparison.now ?? 0) + comparison.high === 0;
    return isEmpty ? [] : [{ series: metric, key, label, ...comparison }];
  });
}
