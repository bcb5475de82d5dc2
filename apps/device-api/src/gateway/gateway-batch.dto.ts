import { IdField, InstantField } from '#platform';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { ActionDto } from '../actions/action.dto.js';
import { describeItems } from '../batch/batch.dto.js';
import { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';

export const MAX_GATEWAY_ITEMS = 1_000;

/** Whose report an item is. */
export class GatewayItemDto {
  @IdField({ description: 'The bottle that the gateway speaks for.' })
  bottle_id: string;
}

/** Reports of many bottles. Each item is checked and stored on its own: a bad one does not stop the others. */
@ApiExtraModels(HeartbeatDto, ActionDto, GatewayItemDto)
export class GatewayBatchDto {
  @InstantField({
    optional: true,
    description: 'The clock by which the items were timed, at the moment of sending; corrects every item.',
  })
  sent_at?: string;

  @ApiProperty({
    description: 'Each a heartbeat or an action with `type` "heartbeat" or "action" and its `bottle_id`.',
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
