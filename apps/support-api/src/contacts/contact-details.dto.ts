import { CARER_ID, type Language, LANGUAGES } from '#domain';
import { BooleanField, EmailField, EnumField, InstantField, TextField, TimeZoneField } from '#platform';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsObject,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

const CLOCK = {
  pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
  hint: 'must be a time such as 22:00',
  lengths: [5, 5],
} as const;
const PHONE = {
  pattern: /^\+?[\d ()./-]{3,40}$/,
  hint: 'must be a phone number such as +49 30 123456',
  lengths: [3, 41],
  example: '+49 30 123456',
} as const;

const NUMBER = {
  pattern: /^\+[1-9]\d{6,14}$/,
  hint: 'must be a number with its country code and no blanks, such as +4915112345678',
  lengths: [8, 16],
  example: '+4915112345678',
} as const;

/** Letters and digits, joined by single blanks or hyphens. */
const GROUP = /^[\p{L}\d]+([ _-][\p{L}\d]+)*$/u;
const LONGEST_GROUP = 40;
/** Of one carer. */
const MOST_GROUPS = 5;

/** Why messages do not reach a person. */
export const UNREACHABLE_REASONS = [
  'no_address',
  'email_unverified',
  'email_not_set_up',
  'email_refused',
  'sms_unverified',
  'sms_not_set_up',
  'sms_refused',
  'sms_paused',
  'push_not_set_up',
  'push_refused',
  'webhook_refused',
  'webhook_not_taken',
  'no_notifier',
] as const;

export const ADDRESS_STATES = ['verified', 'unverified', 'refused', 'paused'] as const;

/** A field of the body may be left out. */
export const given = ValidateIf((_, value) => value !== undefined);

export class QuietHoursDto {
  @TextField({
    ...CLOCK,
    example: '22:00',
    description: "In the recipient's time zone. If it is later than `to`, the quiet hours span midnight.",
  })
  from: string;

  @TextField({ ...CLOCK, example: '07:00' })
  to: string;
}

/** How an address fares. Of no effect in a request. */
export class AddressHealthDto {
  @EnumField(ADDRESS_STATES)
  state: (typeof ADDRESS_STATES)[number];

  @InstantField({
    optional: true,
    description: 'Since when; absent of an unverified address from before this was kept.',
  })
  since?: string;

  @TextField({ optional: true, min: 0, max: 300, description: 'The host that refused it.' })
  by?: string;

  @TextField({ optional: true, min: 0, max: 300, description: 'Its reply.' })
  reply?: string;
}

function HealthField({ description }: { description: string }): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: AddressHealthDto, required: false, description }),
    given,
    IsObject(),
    ValidateNested(),
    Type(() => AddressHealthDto),
  );
}

/** Whether messages reach a person at the moment. Of no effect in a request. */
export class ReachabilityDto {
  @BooleanField({
    optional: true,
    description: 'Whether messages reach this person at the moment. Of no effect in a request.',
  })
  reachable?: boolean;

  @EnumField(UNREACHABLE_REASONS, {
    optional: true,
    description:
      'Why not. no_address: no e-mail address, number or webhook. email_unverified, sms_unverified: the address is not ' +
      'verified. sms_not_set_up: a notifier has no SMS_URL. ' +
      'email_not_set_up: a notifier has no SMTP_URL. email_refused, sms_refused, webhook_refused: the address refused the last message for good. ' +
      'sms_paused: the person replied STOP. webhook_not_taken: every endpoint is paused or disabled, or wants no alerts. ' +
      'push_not_set_up: a notifier has no PUSH_KEY. push_refused: no browser of theirs takes messages any more. ' +
      'no_notifier: none is running. Of no effect in a request.',
  })
  unreachable_reason?: (typeof UNREACHABLE_REASONS)[number];

  @TextField({
    optional: true,
    max: 32,
    example: 'carer',
    description:
      'Who gets messages for this person instead: `user`, the id of a carer, or `operator`. The next in the plan, at ' +
      'last the operator. Absent if nobody does. Of no effect in a request.',
  })
  messages_go_to?: string;
}

export class ContactDetailsDto extends ReachabilityDto {
  @TextField({
    optional: true,
    max: 200,
    description: 'For staff, webhooks, and the pages behind links; mails and SMS do not contain it.',
  })
  name?: string;

  @TextField({ optional: true, ...PHONE, description: 'For staff: nothing is sent there.' })
  phone?: string;

  @BooleanField({ optional: true, description: "Notify through the operator's webhook." })
  webhook?: boolean;

  @EmailField({
    optional: true,
    example: 'will@example.org',
    description: 'Notify by e-mail, once the address is verified.',
  })
  email?: string;

  @BooleanField({
    optional: true,
    description:
      'true: staff know that the address is theirs, for example by phone. false: they are asked by e-mail, again if ' +
      'they were. Default: as before; a new address is asked. At most five mails an hour for each contact: others wait.',
  })
  email_verified?: boolean;

  @InstantField({ optional: true, description: 'When the address was verified. Of no effect in a request.' })
  email_verified_at?: string;

  @TextField({
    optional: true,
    ...NUMBER,
    description: 'Notify by SMS, once the number is verified: with its country code, as +4915112345678.',
  })
  sms?: string;

  @BooleanField({
    optional: true,
    description:
      'true: staff know that the number is theirs. false: they are asked by SMS, again if they were. As with e-mail.',
  })
  sms_verified?: boolean;

  @InstantField({ optional: true, description: 'When the number was verified. Of no effect in a request.' })
  sms_verified_at?: string;

  @BooleanField({
    optional: true,
    description:
      'true: browsers of theirs show messages, which they added on the page of a message. false in a request removes ' +
      'them; otherwise they stay while the address is theirs to which that message went.',
  })
  push?: boolean;

  @HealthField({
    description: 'How the e-mail address fares; absent without one. Of no effect in a request.',
  })
  email_health?: AddressHealthDto;

  @HealthField({
    description: 'How the number for SMS fares; absent without one. Of no effect in a request.',
  })
  sms_health?: AddressHealthDto;

  @HealthField({
    description: 'How their browsers fare; absent without one. Of no effect in a request.',
  })
  push_health?: AddressHealthDto;

  @HealthField({
    description: 'Present if the webhook answered 410 to the last message. Of no effect in a request.',
  })
  webhook_health?: AddressHealthDto;

  @TimeZoneField({
    optional: true,
    description:
      "IANA name: of the quiet hours and of the times in messages. Default: UTC; for a carer, the user's time zone.",
  })
  time_zone?: string;

  @EnumField(LANGUAGES, {
    optional: true,
    description:
      'Of messages, default: English; and of the pages behind their links, default: the language of the browser.',
  })
  language?: Language;

  @ApiProperty({
    type: QuietHoursDto,
    required: false,
    description: "`from` and `to` in the recipient's time zone. Messages wait for their end (MSG-6).",
  })
  @given
  @IsObject()
  @ValidateNested()
  @Type(() => QuietHoursDto)
  quiet_hours?: QuietHoursDto;
}

/** A carer, and how they are notified. */
export class CarerDto extends ContactDetailsDto {
  @TextField({
    optional: true,
    pattern: CARER_ID,
    hint: 'must be lower-case letters, digits, - and _, 32 at most',
    lengths: [1, 32],
    example: 'anna',
    description:
      'By which steps name the carer; it stays the same. Default: `carer` for the first, `carer-2` for the second, and ' +
      'so on. Only the first can have the id `carer`.',
  })
  id?: string;

  @TextField({ optional: true, max: 60, example: 'daughter', description: 'To the user: for staff.' })
  relation?: string;

  @ApiProperty({
    type: [String],
    required: false,
    maxItems: MOST_GROUPS,
    uniqueItems: true,
    example: ['family'],
    description: 'The groups of the carer, which steps name as `group:family`; at most 5.',
  })
  @given
  @Matches(GROUP, { each: true, message: '$property must be words of letters and digits' })
  @MaxLength(LONGEST_GROUP, { each: true })
  @ArrayUnique()
  @ArrayMaxSize(MOST_GROUPS)
  @IsArray()
  groups?: string[];
}
