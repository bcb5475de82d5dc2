import { ROLES, type StaffAccount } from '#persistence';
import { PASSWORD_LENGTH, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import type { Staff } from '../auth/staff.js';
import { Id, Text, Time, Word } from '../http/shown.js';

export class SignInDto {
  @TextField({ max: 254 })
  email: string;

  @TextField({ max: 4 * PASSWORD_LENGTH.max })
  password: string;
}

export class ChangePasswordDto {
  @TextField({ max: 4 * PASSWORD_LENGTH.max, description: 'The present one.' })
  current: string;

  @TextField({ max: 4 * PASSWORD_LENGTH.max, description: 'At least 12 characters. Other sessions end.' })
  next: string;
}

export class SignedInStaffDto {
  @Id()
  id: string;

  @Text()
  email: string;

  @Text()
  name: string;

  @Word(ROLES)
  role: string;
}

export class SessionDto {
  @ApiProperty()
  staff: SignedInStaffDto;

  @Time({ description: 'Sign in again then.' })
  expires_at: Date;

  @Text({ description: 'To be sent as x-csrf-token with every request that changes something.' })
  csrf_token: string;
}

export function sessionView(
  { _id, email, name, role }: StaffAccount,
  { expires_at, csrf_token }: NonNullable<Staff['session']>,
): SessionDto {
  return { staff: { id: _id.toHexString(), email, name, role }, expires_at, csrf_token };
}
