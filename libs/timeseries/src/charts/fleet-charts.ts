import { Injectable } from '@nestjs/common';
import type { Metric } from '../counting/reports.js';
import { valuesOf } from '../tiers/tier-document.js';
import { TierDocumentsRepository } from '../tiers/tier-documents.repository.js';
import { type Chart, sumColumns } from './columns.js';
import { type ChartRange, planFleetChart } from './fleet-plan.js';
import { FLEET_SERIES } from './fleet-series.js';
import { STEPS } from './steps.js';

/** What the whole fleet did, at any zoom. */
@Injectable()
export class FleetCharts {
  constructor(private readonly documents: TierDocumentsRepository) {}

  /** @throws TooManyPointsError when the step that was chosen is too fine for the range. */
  async chart(metric: Metric, range: ChartRange, now: Date): Promise<Chart> {
    const { tier, step, timeZone, boundaries, documents } = planFleetChart(range, now);
    const found = await this.documents.find(tier, metric, documents);
    const series = FLEET_SERIES[metric];
    const values = found.flatMap((document) => valuesOf(tier, document));
    return {
      series,
      columns: sumColumns(
        boundaries,
        values,
        series.map(({ key }) => key),
      ),
      step,
      step_seconds: STEPS[step] / 1000,
      from: boundaries[0]!,
      to: boundaries.at(-1)!,
      time_zone: timeZone,
    };
  }
}
