import { IdListField, TextField } from '#platform';
import { Id, Text, Time } from '../http/view.js';

const MAX_BOTTLES = 1_000;

export class RegisterGatewayDto {
  @TextField({
    max: 100,
    pattern: /^[\w .@:+-]*[\w.@:+-]$/,
    hint: 'must be letters, digits, spaces or . _ @ : + -',
    description: 'Who runs the gateway.',
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

  @Time({ optional: true, description: 'When it was permanently revoked.' })
  revoked_at?: Date;
}

export class GatewayTokenDto {
  @Text({ description: 'The token. It is shown only once.' })
  token: string;
}

export class RegisteredGatewayDto extends GatewayDto {
  @Text({ description: 'The token. It is shown only once.' })
  token: string;
}

/** Bottles to assign to a gateway or to unassign from it. */
export class GatewayBottlesDto {
  @IdListField({ max: MAX_BOTTLES, description: 'The bottles.' })
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
