import type { Chart, HeatMap, Series } from '#timeseries';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Count, Text, Time } from '../http/shown.js';

export class SeriesDto implements Series {
  @Text()
  key: string;

  @Text()
  label: string;

  @Text({ description: 'count, pills, %, dBm or g.' })
  unit: string;
}

/** A chart as uPlot takes it. */
export class ChartDto implements Chart {
  @ApiProperty({ type: [SeriesDto] })
  series: SeriesDto[];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: ['number', 'null'] } },
    description:
      'First the starts of the steps in epoch seconds, none left out; then a column for each series. null is a gap.',
  } as unknown as ApiPropertyOptions)
  columns: Chart['columns'];

  @Text({ description: 'What a point stands for.' })
  step: string;

  @Count({ description: 'Where a step is a day or a week: of days of 24 hours.' })
  step_seconds: number;

  @Time({ description: 'The start of the first step.' })
  from: Date;

  @Time({ description: 'The end of the last step.' })
  to: Date;

  @Text({ description: 'Whose days the steps follow; UTC where only days of UTC are kept.' })
  time_zone: string;
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
  @Count()
  pills_taken: number;

  @Count({ description: 'Closings with pills removed.' })
  doses: number;
}

/** When people take a medication. */
export class HeatMapDto implements HeatMap {
  @Text()
  medication: string;

  @Text({ nullable: true, description: 'null: people of all zones together.' })
  time_zone: string | null;

  @Text({ description: 'The first day.' })
  from: string;

  @Text({ description: 'The day after the last.' })
  to: string;

  @Week('Monday to Sunday, each by the hour of the wall clock where the bottle is.')
  pills_taken: number[][];

  @Week('The same, counting closings with pills removed.')
  doses: number[][];

  @ApiProperty()
  total: TakenDto;
}
