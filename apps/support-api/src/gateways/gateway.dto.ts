import type { Gateway } from '#persistence';
import { TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsMongoId } from 'class-validator';
import { Id, Text, Time } from '../http/shown.js';

const MOST_BOTTLES = 1_000;

export class RegisterGatewayDto {
  @TextField({
    max: 100,
    pattern: /^[\w .@:+-]*[\w.@:+-]$/,
    hint: 'must be letters, digits, spaces or . _ @ : + -',
    description: 'Whose gateway it is.',
    example: 'hub 4711',
  })
  name: string;
}

export class GatewayDto {
  @Id()
  id: string;

  @Text()
  name: string;

  @Time()
  created_at: Date;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    required: false,
    description: 'When it was revoked for good.',
  })
  revoked_at?: Date;
}

export class GatewayTokenDto {
  @Text({ description: 'The token. It is shown this once.' })
  token: string;
}

export class RegisteredGatewayDto extends GatewayDto {
  @Text({ description: 'The token. It is shown this once.' })
  token: string;
}

/** Bottles that are to be given to a gateway, or taken from it. */
export class GatewayBottlesDto {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', pattern: '^[0-9a-f]{24}$' },
    minItems: 1,
    maxItems: MOST_BOTTLES,
  })
  @IsMongoId({ each: true, message: 'bottle_ids must be ids of bottles: 24 hex digits each' })
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_BOTTLES)
  @IsArray()
  bottle_ids: string[];
}

export class GatewayBottleDto {
  @Id()
  bottle_id: string;

  @Text()
  user_id: string;

  @Text()
  medication: string;
}

/** {@link GatewayDto} as CSV. */
export const GATEWAY_COLUMNS = ['id', 'name', 'created_at', 'revoked_at'];

/** {@link GatewayBottleDto} as CSV. */
export const GATEWAY_BOTTLE_COLUMNS = ['bottle_id', 'user_id', 'medication'];

export function gatewayView({ _id, name, created_at, revoked_at }: Gateway): GatewayDto {
  return { id: _id.toHexString(), name, created_at, ...(revoked_at ? { revoked_at } : {}) };
}
