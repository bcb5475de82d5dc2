import { EnumField, InstantField, oneOf } from '#platform';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { ClosedDto, HeartbeatDto, IgnoredFieldDto, OpenedDto } from '../reports/report.dto.js';

export const MAX_BATCH_ITEMS = 500;

// items for the OpenAPI document; BatchService checks them
export class HeartbeatItemDto extends HeartbeatDto {
  @EnumField(['heartbeat'])
  type: 'heartbeat';
}

export class OpenedItemDto extends OpenedDto {
  @EnumField(['action'])
  type: 'action';
}

export class ClosedItemDto extends ClosedDto {
  @EnumField(['action'])
  type: 'action';
}

const ITEMS = [HeartbeatItemDto, OpenedItemDto, ClosedItemDto];

/** A bottle's backlog. Each item is validated and stored by itself: a bad item does not stop the others. */
@ApiExtraModels(...ITEMS)
export class BatchDto {
  @InstantField({
    optional: true,
    description: "The device's clock at the moment of sending; corrects the times of all items.",
  })
  sent_at?: string;

  @ApiProperty({
    description: 'Each item is a heartbeat or an action, with `type` "heartbeat" or "action".',
    type: 'array',
    minItems: 1,
    maxItems: MAX_BATCH_ITEMS,
    items: oneOf(ITEMS),
  })
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH_ITEMS)
  @IsArray()
  items: unknown[];
}

/** The result of one item: the response that the same report would have got alone. */
export class BatchItemResultDto {
  @ApiProperty({
    description: '201 stored, 200 stored before, 204 heartbeat stored, 4xx refused, 503 retry later.',
  })
  status: number;

  @ApiProperty({ required: false, description: "An action's id in the log." })
  id?: string;

  @ApiProperty({ required: false, description: 'Error code, if the item was refused.' })
  code?: string;

  @ApiProperty({ required: false, description: 'The invalid field.' })
  field?: string;

  @ApiProperty({ required: false })
  detail?: string;

  @ApiProperty({ type: [IgnoredFieldDto], required: false, description: 'What was left out of the report.' })
  ignored?: IgnoredFieldDto[];
}

export class BatchResultDto {
  @ApiProperty({ type: [BatchItemResultDto], description: 'In the order of the items.' })
  results: BatchItemResultDto[];

  @ApiProperty({
    type: [IgnoredFieldDto],
    required: false,
    description: 'What was left out of the batch itself, such as a `sent_at` that cannot be read.',
  })
  ignored?: IgnoredFieldDto[];
}
