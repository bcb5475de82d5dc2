import { type Role, ROLES } from '#persistence';
import {
  BooleanField,
  EmailField,
  EnumField,
  IdField,
  InstantField,
  ListField,
  NumberField,
  ObjectField,
  PASSWORD_LENGTH,
  TextField,
} from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { REQUIREMENTS } from '../auth/requirements.js';
import { RESERVED_NAMES } from '../auth/staff.js';

const RESERVED = RESERVED_NAMES.join('|');
const NAME = {
  max: 100,
  pattern: new RegExp(`^(?!(?:${RESERVED})$)[^\\p{C}\\s](?:[^\\p{C}]*[^\\p{C}\\s])?$`, 'iu'),
  hint: `must not begin or end with a space, nor be ${RESERVED_NAMES.join(' or ')}`,
  description: "Recorded with the person's actions.",
  example: 'Carol Smith',
};
const CODE = { max: 40, description: 'Six digits of the authenticator app, or a recovery code.' };
const PASSWORD = {
  max: 4 * PASSWORD_LENGTH.max,
  lengths: [PASSWORD_LENGTH.min, 4 * PASSWORD_LENGTH.max],
  example: 'seven quiet lanterns 42',
  description: 'At least 12 characters.',
} as const;

export class CreateStaffDto {
  @EmailField()
  email: string;

  @EnumField(ROLES)
  role: Role;

  @TextField({ ...NAME, optional: true, description: `${NAME.description} Default: the e-mail address.` })
  name?: string;

  @TextField({ ...PASSWORD, optional: true, description: 'Default: a generated password, returned once.' })
  password?: string;
}

/** At least one of the fields. */
export class ChangeStaffDto {
  @TextField({ ...NAME, optional: true })
  name?: string;

  @EnumField(ROLES, { optional: true })
  role?: Role;

  @BooleanField({
    optional: true,
    description: 'Signs the person out everywhere and refuses to sign them in.',
  })
  disabled?: boolean;

  @TextField({
    ...PASSWORD,
    optional: true,
    description: 'Signs the person out everywhere and ends a lock-out.',
  })
  password?: string;
}

export class StaffDto {
  @IdField()
  id: string;

  @TextField()
  email: string;

  @TextField()
  name: string;

  @EnumField(ROLES)
  role: Role;

  @BooleanField()
  disabled: boolean;

  @BooleanField({ description: 'The person uses a second factor.' })
  second_factor: boolean;

  @BooleanField({ description: 'Someone else has chosen the password; the next sign-in asks for another.' })
  must_change_password: boolean;

  @InstantField()
  created_at: Date;
}

export class ColleagueDto {
  @IdField()
  id: string;

  @TextField()
  name: string;
}

export class CreatedStaffDto extends StaffDto {
  @TextField({ optional: true, description: 'The generated password. It is shown only once.' })
  password?: string;
}

export class SignInDto {
  @TextField({ max: 254 })
  email: string;

  @TextField({ max: PASSWORD.max })
  password: string;

  @TextField({ ...CODE, optional: true })
  code?: string;
}

/** Proves again who you are. */
export class BeginSecondFactorDto {
  @TextField({ max: PASSWORD.max, description: 'Your password.' })
  password: string;

  @TextField({ ...CODE, optional: true, description: `If you have a second factor: ${CODE.description}` })
  code?: string;
}

export class NewSecondFactorDto {
  @TextField({ description: 'For the authenticator app, base32.' })
  secret: string;

  @TextField({ description: 'The same as a URI, to show as a QR code.' })
  uri: string;
}

export class ConfirmSecondFactorDto {
  @TextField({ ...CODE, description: 'The code that the app shows now.' })
  code: string;
}

export class RecoveryCodesDto {
  @ApiProperty({ type: [String], description: 'Each replaces one code. They are shown only once.' })
  recovery_codes: string[];
}

export class ChangePasswordDto {
  @TextField({ max: PASSWORD.max, description: 'The current password.' })
  current: string;

  @TextField({ ...PASSWORD, description: `${PASSWORD.description} Ends your other sessions.` })
  next: string;
}

export class SignedInStaffDto {
  @IdField()
  id: string;

  @TextField()
  email: string;

  @TextField()
  name: string;

  @EnumField(ROLES)
  role: string;
}

export class SessionDto {
  @ObjectField(() => SignedInStaffDto)
  staff: SignedInStaffDto;

  @InstantField({ description: 'Sign in again after this time.' })
  expires_at: Date;

  @NumberField({
    description:
      'For so long the session may do what is sensitive; then 403 `reauthentication_required`, until you sign in again. Seconds.',
  })
  fresh_for_s: number;

  @NumberField({ description: 'The session ends after so long without a request. Seconds.' })
  idle_timeout_s: number;

  @ApiProperty({
    enum: REQUIREMENTS,
    isArray: true,
    description: 'Do these first; other routes answer 403 until then.',
  })
  required: string[];

  @EnumField(['off', 'not_set_up', 'set_up'])
  second_factor: string;

  @TextField({ description: 'Send it as x-csrf-token with every request that changes something.' })
  csrf_token: string;
}

export class EndOtherSessionsDto {
  @TextField({ max: PASSWORD.max, description: 'Your password.' })
  password: string;
}

export class OwnSessionDto {
  @IdField()
  id: string;

  @InstantField({ description: 'When you signed in.' })
  created_at: Date;

  @TextField({ nullable: true, description: 'Where from.' })
  address: string | null;

  @BooleanField({ description: 'It is the session of this request.' })
  current: boolean;
}

export class OwnSessionsDto {
  @ListField(() => OwnSessionDto, { description: 'Newest first.' })
  items: OwnSessionDto[];
}

export class CreateApiKeyDto {
  @TextField({
    max: 100,
    pattern: new RegExp(`^(?!(?:${RESERVED})$)[\\w .@:+-]*[\\w.@:+-]$`, 'i'),
    hint: `must be letters, digits, spaces or . _ @ : + -, and not ${RESERVED_NAMES.join(' or ')}`,
    description: 'Who uses the key. Recorded with the actions of the key.',
    example: 'night shift',
  })
  name: string;

  @EnumField(ROLES)
  role: Role;

  @IdField({
    optional: true,
    description:
      'The account that answers for the key; the key ends with it and may not do more. Default: the account of the caller.',
  })
  owner_id?: string;

  @InstantField({ optional: true, description: 'Default: in a year. At most two years from now.' })
  expires_at?: string;
}

export class KeyOwnerDto {
  @IdField()
  id: string;

  @TextField()
  name: string;
}

export class ApiKeyDto {
  @IdField()
  id: string;

  @TextField()
  name: string;

  @EnumField(ROLES)
  role: Role;

  @InstantField()
  created_at: Date;

  @ObjectField(() => KeyOwnerDto, { nullable: true })
  owner: KeyOwnerDto | null;

  @InstantField({ nullable: true, description: 'Null: never.' })
  expires_at: Date | null;

  @InstantField({ nullable: true, description: 'To the hour.' })
  last_used_at: Date | null;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @TextField({ description: 'The key. It is shown only once.' })
  key: string;
}
