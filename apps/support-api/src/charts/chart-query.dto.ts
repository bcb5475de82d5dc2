import { EnumField, InstantField, TextField, TimeZoneField } from '#platform';
import { FLEET_STEPS, METRICS, VITAL_NAMES, VITALS_STEPS } from '#timeseries';

export const FLEET_CHARTS = [...METRICS, 'live'] as const;
export type FleetChartName = (typeof FLEET_CHARTS)[number];

const STEP_HINT =
  'What a point stands for; with auto, the default, the finest of which the range has at most 500.';

/** What every chart takes. */
class ChartQuery {
  @InstantField({ optional: true, description: 'From the step that holds this moment on.' })
  from?: string;

  @InstantField({ optional: true, description: 'Before this; up to now unless given.' })
  to?: string;

  @TimeZoneField({ optional: true, description: 'Whose midnight begins a day; UTC unless given.' })
  time_zone?: string;
}

export class FleetChartQuery extends ChartQuery {
  @EnumField(FLEET_CHARTS, {
    description:
      'reports, doses by outcome, alerts by kind, deliveries by result, or live: the last minutes by the second.',
  })
  series: FleetChartName;

  @EnumField(['auto', '1s', ...FLEET_STEPS], { optional: true, description: STEP_HINT })
  step?: string;
}

export class BottleChartQuery extends ChartQuery {
  @EnumField(VITAL_NAMES, { description: 'What the bottle said of itself.' })
  series: (typeof VITAL_NAMES)[number];

  @EnumField(['auto', ...VITALS_STEPS], { optional: true, description: STEP_HINT })
  step?: string;
}

const LOCAL_DATE = { pattern: /^\d{4}-\d{2}-\d{2}$/, hint: 'must be a date such as 2026-03-01' };

export class HeatMapQuery {
  @TextField({ example: 'Cordrazine' })
  medication: string;

  @TextField({
    ...LOCAL_DATE,
    optional: true,
    description: 'The first day; 90 days before the end unless given.',
  })
  from?: string;

  @TextField({ ...LOCAL_DATE, optional: true, description: 'The day after the last; tomorrow unless given.' })
  to?: string;

  @TimeZoneField({ optional: true, description: 'Only bottles that are at home in this zone.' })
  time_zone?: string;
}
