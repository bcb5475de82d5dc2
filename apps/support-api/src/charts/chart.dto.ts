import {
  EnumField,
  InstantField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TimeZoneField,
} from '#platform';
import {
  type Chart,
  type Comparison,
  FLEET_STEPS,
  type HeatMap,
  METRICS,
  type Series,
  VITAL_NAMES,
  VITALS_STEPS,
} from '#timeseries';
import { ApiProperty } from '@nestjs/swagger';
import { FormatQuery } from '../http/paging.js';

/** What is complete as soon as its hour is over: doses get their outcomes later. */
export const COMPARED_METRICS = ['reports', 'alerts', 'deliveries'] as const;
export type ComparedMetric = (typeof COMPARED_METRICS)[number];

const FLEET_CHARTS = [...METRICS, 'live'] as const;
const STEP_HINT = 'The length of a point. Default: auto, the shortest that gives at most 500 points.';

/** The parameters of every chart. */
class ChartQuery extends FormatQuery {
  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'From the step that contains this time.',
  })
  from?: string;

  @InstantField({
    example: '2026-03-08T00:00:00Z',
    optional: true,
    description: 'Before this time. Default: now.',
  })
  to?: string;

  @TimeZoneField({ optional: true, description: 'The time zone in which days begin. Default: UTC.' })
  time_zone?: string;
}

export class FleetChartQuery extends ChartQuery {
  @EnumField(FLEET_CHARTS, {
    description:
      'Reports, doses by measured outcome, statements (doses by what people report of them), adherence (doses ' +
      "taken and on time, as measured and with people's word, with the shares and the share that rests on their " +
      'word), alerts by kind, deliveries by result, or live: the last minutes by the second.',
  })
  series: (typeof FLEET_CHARTS)[number];

  @EnumField(['auto', '1s', ...FLEET_STEPS], { optional: true, description: STEP_HINT })
  step?: string;
}

export class BottleChartQuery extends ChartQuery {
  @EnumField(VITAL_NAMES, { description: 'One of the vitals that the bottle reports.' })
  series: (typeof VITAL_NAMES)[number];

  @EnumField(['auto', ...VITALS_STEPS], { optional: true, description: STEP_HINT })
  step?: string;
}

const LOCAL_DATE = {
  pattern: /^\d{4}-\d{2}-\d{2}$/,
  format: 'date',
  hint: 'must be a date such as 2026-03-01',
};

export class HeatMapQuery {
  @TextField({ max: 200, example: 'Cordrazine' })
  medication: string;

  @TextField({
    ...LOCAL_DATE,
    optional: true,
    example: '2026-03-01',
    description: 'The first day. Default: 90 days before `to`.',
  })
  from?: string;

  @TextField({
    ...LOCAL_DATE,
    optional: true,
    example: '2026-03-08',
    description: 'The day after the last. Default: tomorrow.',
  })
  to?: string;

  @TimeZoneField({ optional: true, description: 'Only bottles in this time zone.' })
  time_zone?: string;
}

export class SeriesDto implements Series {
  @TextField()
  key: string;

  @TextField()
  label: string;

  @TextField({ description: 'count, pills, %, dBm or g.' })
  unit: string;
}

/** A chart in the format of uPlot. */
export class ChartDto implements Chart {
  @ListField(() => SeriesDto)
  series: SeriesDto[];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'number', nullable: true } },
    description:
      'First the start of every step in epoch seconds, without gaps; then one column per series. null: no data.',
  })
  columns: Chart['columns'];

  @TextField({ description: 'The length of a point.' })
  step: string;

  @NumberField({ description: 'The length of a point in seconds. A day counts as 24 hours.' })
  step_seconds: number;

  @InstantField({ description: 'The start of the first step.' })
  from: Date;

  @InstantField({ description: 'The end of the last step.' })
  to: Date;

  @InstantField({
    description:
      'The start of the first point that may still grow: it is not over, or not everything of it is counted yet. Or `to`.',
  })
  complete_until: Date;

  @TextField({ description: 'The time zone of the days; UTC where only UTC days are stored.' })
  time_zone: string;
}

/** A chart as a table: a line for each point, with its time. */
export const chartTable = ({ series, columns: [times, ...values] }: ChartDto) => ({
  columns: ['time', ...series.map(({ key }) => key)],
  rows: times.map((seconds, row) => ({
    time: new Date(seconds * 1000),
    ...Object.fromEntries(series.map(({ key }, index) => [key, values[index]?.[row]])),
  })),
});

export class ComparisonQuery extends FormatQuery {
  @TimeZoneField({ optional: true, description: 'Whose hours of the week are compared. Default: UTC.' })
  time_zone?: string;
}

/** A count of the last whole hour beside those of the same hour of the weeks before. */
export class ComparedDto implements Comparison {
  @EnumField(COMPARED_METRICS, { description: 'The chart that it is of.' })
  series: ComparedMetric;

  @TextField({ description: 'The series in that chart.' })
  key: string;

  @TextField()
  label: string;

  @NumberField({ nullable: true, description: 'Null: nobody was there to count.' })
  now: number | null;

  @NumberField({ description: 'The median of the weeks before.' })
  usual: number;

  @NumberField({ description: 'The least of the weeks before.' })
  low: number;

  @NumberField({ description: 'The most of the weeks before.' })
  high: number;

  @EnumField(['low', 'high'], {
    nullable: true,
    description:
      'On which side it is unusual: outside of all weeks before, by more than three times the root and by more than a ' +
      'quarter of the median.',
  })
  unusual: 'low' | 'high' | null;
}

export class FleetComparisonDto {
  @InstantField({ description: 'The start of the last whole hour of which all reports are counted.' })
  from: Date;

  @InstantField()
  to: Date;

  @NumberField({
    description: 'How many weeks there are to compare with: 0 to 4. With fewer than 2, no items.',
  })
  weeks: number;

  @ListField(() => ComparedDto, {
    description: 'What there was now or before: what is unusual first, then as in the charts.',
  })
  items: ComparedDto[];
}

const Week = (description: string): PropertyDecorator =>
  ApiProperty({
    type: 'array',
    minItems: 7,
    maxItems: 7,
    items: { type: 'array', minItems: 24, maxItems: 24, items: { type: 'number' } },
    description,
  });

export class TakenDto {
  @NumberField()
  pills_taken: number;

  @NumberField({ description: 'Closings with pills removed.' })
  doses: number;
}

/** At which times of the week a medication is taken. */
export class HeatMapDto implements HeatMap {
  @TextField()
  medication: string;

  @TextField({ nullable: true, description: 'null: all time zones together.' })
  time_zone: string | null;

  @TextField({ description: 'The first day.' })
  from: string;

  @TextField({ description: 'The day after the last.' })
  to: string;

  @Week("Monday to Sunday, each by hour in the bottle's time zone.")
  pills_taken: number[][];

  @Week('The same for closings with pills removed.')
  doses: number[][];

  @ObjectField(() => TakenDto)
  total: TakenDto;
}
