import { IdField, InstantField, oneOf } from '#platform';
import { ApiExtraModels, ApiProperty, IntersectionType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { ClosedItemDto, HeartbeatItemDto, OpenedItemDto } from '../batch/batch.dto.js';

export const MAX_GATEWAY_ITEMS = 1_000;

/** The bottle of an item. */
export class GatewayItemDto {
  @IdField({ description: 'A bottle that is assigned to the gateway.' })
  bottle_id: string;
}

class GatewayHeartbeatDto extends IntersectionType(HeartbeatItemDto, GatewayItemDto) {}
class GatewayOpenedDto extends IntersectionType(OpenedItemDto, GatewayItemDto) {}
class GatewayClosedDto extends IntersectionType(ClosedItemDto, GatewayItemDto) {}

const ITEMS = [GatewayHeartbeatDto, GatewayOpenedDto, GatewayClosedDto];

/** Reports of many bottles. Each item is validated and stored by itself: a bad item does not stop the others. */
@ApiExtraModels(...ITEMS)
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
    items: oneOf(ITEMS),
  })
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_GATEWAY_ITEMS)
  @IsArray()
  items: unknown[];
}
