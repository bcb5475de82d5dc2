import { IdField, InstantField } from '#platform';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { describeItems } from '../batch/batch.dto.js';
import { ActionDto, HeartbeatDto } from '../reports/report.dto.js';

export const MAX_GATEWAY_ITEMS = 1_000;

/** The bottle of an item. */
export class GatewayItemDto {
  @IdField({ description: 'A bottle that is assigned to the gateway.' })
  bottle_id: string;
}

/** Reports of many bottles. Each item is validated and stored by itself: a bad item does not stop the others. */
@ApiExtraModels(HeartbeatDto, ActionDto, GatewayItemDto)
export class GatewayBatchDto {
  @InstantField({
    optional: true,
    description: 'The clock that timed the items, at the moment of sending; corrects the times of all items.',
  })
  sent_at?: string;

  @ApiProperty({
    description:
      'Each item is a heartbeat or an action, with `type` "heartbeat" or "action" and its `bottle_id`.',
    type: 'array',
    minItems: 1,
    maxItems: MAX_GATEWAY_ITEMS,
    items: describeItems(GatewayItemDto),
  })
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_GATEWAY_ITEMS)
  @IsArray()
  items: unknown[];
}
