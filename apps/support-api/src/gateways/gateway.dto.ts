import { IdField, IdListField, InstantField, TextField } from '#platform';

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
  @IdField()
  id: string;

  @TextField()
  name: string;

  @InstantField()
  created_at: Date;

  @InstantField({ optional: true, description: 'When it was permanently revoked.' })
  revoked_at?: Date;
}

export class GatewayTokenDto {
  @TextField({ description: 'The token. It is shown only once.' })
  token: string;
}

export class RegisteredGatewayDto extends GatewayDto {
  @TextField({ description: 'The token. It is shown only once.' })
  token: string;
}

/** Bottles to assign to a gateway or to unassign from it. */
export class GatewayBottlesDto {
  @IdListField({ max: MAX_BOTTLES, description: 'The bottles.' })
  bottle_ids: string[];
}

export class GatewayBottleDto {
  @IdField()
  bottle_id: string;

  @TextField()
  user_id: string;

  @TextField()
  medication: string;
}
