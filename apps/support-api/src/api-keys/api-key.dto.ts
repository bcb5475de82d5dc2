import { type ApiKey, type Role, ROLES } from '#persistence';
import { EnumField, TextField } from '#platform';
import { RESERVED_NAMES } from '../auth/staff.js';
import { Id, Text, Time, Word } from '../http/shown.js';

const NAME = new RegExp(`^(?!(?:${RESERVED_NAMES.join('|')})$)[\\w .@:+-]*[\\w.@:+-]$`, 'i');

export class CreateApiKeyDto {
  @TextField({
    max: 100,
    pattern: NAME,
    hint: `must be letters, digits, spaces or . _ @ : + -, and not ${RESERVED_NAMES.join(' or ')}`,
    description: 'Whose key it is; stands in the history of what is done with it.',
    example: 'night shift',
  })
  name: string;

  @EnumField(ROLES)
  role: Role;
}

export class ApiKeyDto {
  @Id()
  id: string;

  @Text()
  name: string;

  @Word(ROLES)
  role: Role;

  @Time()
  created_at: Date;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @Text({ description: 'The key. It is shown this once.' })
  key: string;
}

/** {@link ApiKeyDto} as CSV. */
export const API_KEY_COLUMNS = ['id', 'name', 'role', 'created_at'];

export function apiKeyView({ _id, name, role, created_at }: ApiKey): ApiKeyDto {
  return { id: _id.toHexString(), name, role, created_at };
}
