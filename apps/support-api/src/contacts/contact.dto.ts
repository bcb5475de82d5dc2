import { ALARMING_KINDS } from '#domain';
import { MOST_CARERS } from '#persistence';
import { BooleanField, EnumField, EnumListField, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { CarerDto, ContactDetailsDto, given } from './contact-details.dto.js';

const DURATION = {
  pattern: /^\d{1,5}(s|m|h|d)$/,
  hint: 'must be a duration such as 30m',
  lengths: [2, 6],
} as const;

const REMINDER = {
  pattern: /^-?\d{1,5}(s|m|h|d)$/,
  hint: 'must be a duration such as 0m, 20m or -10m',
  lengths: [2, 7],
} as const;

const INTERVAL = {
  // at most one reminder per minute
  pattern: /^([6-9]\d|[1-9]\d{2,4})s$|^[1-9]\d{0,4}[mhd]$/,
  hint: 'must be a duration of a minute or more, such as 30m',
  lengths: [2, 6],
  example: '30m',
} as const;

/** Of an escalation. */
const MAX_STEPS = 20;

export class EscalationStepDto {
  @TextField({
    ...DURATION,
    optional: true,
    example: '30m',
    description: 'Since the alert was raised. Required unless `remind` is given.',
  })
  after?: string;

  @TextField({
    ...REMINDER,
    optional: true,
    description:
      'In place of `after`: the user is reminded of a dose that is not taken, so long after its time, or before it ' +
      '(`-10m`), at most 12 hours, and only until it is late (REMIND-1). With `to` only, which is `user`.',
  })
  remind?: string;

  @TextField({
    max: 50,
    example: 'user',
    description:
      '`user`; the id of a carer (`carer` is the first; without a carer it goes to the user); or a group of carers, as ' +
      '`group:family`.',
  })
  to: string;

  @TextField({
    ...INTERVAL,
    optional: true,
    example: '10m',
    description:
      'Of a group: its carers are notified one after another, in their order, each so long after the one before. ' +
      'Default: all at once.',
  })
  in_turn?: string;

  @EnumField(['acknowledged'], { optional: true })
  until?: 'acknowledged';

  @TextField({
    ...INTERVAL,
    optional: true,
    description: 'Send reminders at this interval until the alert is acknowledged.',
  })
  repeat?: string;

  @EnumListField(ALARMING_KINDS, { optional: true, min: 1, description: 'Default: all.' })
  kinds?: string[];
}

export class ContactWarningDto {
  @EnumField(['no_bottles'])
  code: 'no_bottles';

  @TextField({ max: 200, description: 'A sentence for people.' })
  text: string;
}

/** How and when a user and their carers are notified. */
export class ContactDto extends ContactDetailsDto {
  @BooleanField({
    optional: true,
    description:
      'They fill a pillbox every week: when pills are removed that suffice for later doses, it is asked whether they ' +
      'are in it.',
  })
  fills_pillbox?: boolean;

  @ApiProperty({
    type: [CarerDto],
    required: false,
    maxItems: MOST_CARERS,
    description: 'The carers, at most 10, in the order in which a group is notified in turn.',
  })
  @given
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => CarerDto)
  @ArrayMaxSize(MOST_CARERS)
  @IsArray()
  carers?: CarerDto[];

  @ApiProperty({
    type: ContactDetailsDto,
    required: false,
    deprecated: true,
    description:
      'The carer with the id `carer`. Use `carers`. A request with `carer` alone leaves the other carers as they are; ' +
      'with both, they must agree.',
  })
  @given
  @IsObject()
  @ValidateNested()
  @Type(() => ContactDetailsDto)
  carer?: ContactDetailsDto;

  @ApiProperty({
    type: [EscalationStepDto],
    required: false,
    maxItems: MAX_STEPS,
    description: 'The steps, at most 20. Default: the user, at once.',
  })
  @given
  // without it, the items of a list in the list would be steps
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => EscalationStepDto)
  @ArrayMaxSize(MAX_STEPS)
  @IsArray()
  escalation?: EscalationStepDto[];

  @ApiProperty({
    type: [ContactWarningDto],
    required: false,
    maxItems: 1,
    description: 'no_bottles: no bottle has this user_id. Of no effect in a request.',
  })
  @given
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ContactWarningDto)
  @ArrayMaxSize(1)
  @IsArray()
  warnings?: ContactWarningDto[];
}
