import { type Role, ROLES, type StaffAccount } from '#persistence';
import { BooleanField, EnumField, PASSWORD_LENGTH, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';
import { RESERVED_NAMES } from '../auth/staff.js';
import { Id, Text, Time, Word } from '../http/shown.js';

const NAME = {
  max: 100,
  pattern: new RegExp(`^(?!(?:${RESERVED_NAMES.join('|')})$)[^\\p{C}\\s](?:[^\\p{C}]*[^\\p{C}\\s])?$`, 'iu'),
  hint: `must not begin or end with a space, nor be ${RESERVED_NAMES.join(' or ')}`,
  description: 'Stands in the history of what the person does.',
  example: 'Carol Smith',
};
const PASSWORD = { max: 4 * PASSWORD_LENGTH.max, description: 'At least 12 characters.' };

export class CreateStaffDto {
  @ApiProperty({ type: 'string', format: 'email', maxLength: 254 })
  @MaxLength(254)
  @IsEmail()
  email: string;

  @EnumField(ROLES)
  role: Role;

  @TextField({ ...NAME, optional: true, description: `${NAME.description} The e-mail when left out.` })
  name?: string;

  @TextField({ ...PASSWORD, optional: true, description: 'One is made and shown once when left out.' })
  password?: string;
}

/** At least one of them. */
export class ChangeStaffDto {
  @TextField({ ...NAME, optional: true })
  name?: string;

  @EnumField(ROLES, { optional: true })
  role?: Role;

  @BooleanField({ optional: true, description: 'Signed out everywhere, and not let in again.' })
  disabled?: boolean;

  @TextField({
    ...PASSWORD,
    optional: true,
    description: 'Signs the person out everywhere and ends a lock-out.',
  })
  password?: string;
}

export class StaffDto {
  @Id()
  id: string;

  @Text()
  email: string;

  @Text()
  name: string;

  @Word(ROLES)
  role: Role;

  @ApiProperty()
  disabled: boolean;

  @Time()
  created_at: Date;
}

export class CreatedStaffDto extends StaffDto {
  @ApiProperty({ required: false, description: 'The password that was made. It is shown this once.' })
  password?: string;
}

/** {@link StaffDto} as CSV. */
export const STAFF_COLUMNS = ['id', 'email', 'name', 'role', 'disabled', 'created_at'];

export function staffView({ _id, email, name, role, disabled, created_at }: StaffAccount): StaffDto {
  return { id: _id.toHexString(), email, name, role, disabled: disabled ?? false, created_at };
}
