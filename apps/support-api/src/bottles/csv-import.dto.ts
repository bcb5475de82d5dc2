import { IdField, ListField, NumberField } from '#platform';
import { RegisteredBottleDto } from './bottle.dto.js';
import { ScheduleWarningDto } from './plan.dto.js';

export class ImportedBottleDto extends RegisteredBottleDto {
  @NumberField({ description: 'The line in the file, starting with 1.' })
  line: number;

  @IdField({ nullable: true, description: 'The bottle whose plan it is for.' })
  plan_of: string | null;
}

export class ImportedBottlesDto {
  @ListField(() => ImportedBottleDto, { description: 'In the order of the file.' })
  created: ImportedBottleDto[];
}

export class LineWarningDto extends ScheduleWarningDto {
  @NumberField({ description: 'The line in the file, starting with 1.' })
  line: number;
}

export class CheckedImportDto {
  @NumberField({ description: 'How many bottles the file has.' })
  bottles: number;

  @ListField(() => LineWarningDto, { description: 'Why doses of a schedule cannot be judged well, by line.' })
  warnings: LineWarningDto[];
}
