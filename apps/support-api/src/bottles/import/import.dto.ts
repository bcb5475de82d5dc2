import { ApiProperty } from '@nestjs/swagger';
import { RegisteredBottleDto } from '../bottle-views.dto.js';
import { Count } from '../../http/shown.js';

export class ImportedBottleDto extends RegisteredBottleDto {
  @Count({ description: 'Its line in the file; the first is 1.' })
  line: number;
}

export class ImportedBottlesDto {
  @ApiProperty({ type: [ImportedBottleDto], description: 'In the order of the file.' })
  created: ImportedBottleDto[];
}
