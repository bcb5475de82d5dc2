import { ALERT_KINDS, ESCALATION_TARGETS, type EscalationTarget } from '#domain';
import { BooleanField, EnumField, TextField, TimeZoneField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsEmail, IsIn, IsObject, ValidateIf, ValidateNested } from 'class-validator';

const CLOCK = { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, hint: 'must be a time such as 22:00' };
const DURATION = { pattern: /^\d{1,5}(s|m|h|d)$/, hint: 'must be a duration such as 30m' };

const INTERVAL = {
  // at most one reminder per minute
  pattern: /^([6-9]\d|[1-9]\d{2,4})s$|^[1-9]\d{0,4}[mhd]$/,
  hint: 'must be a duration of a minute or more, such as 30m',
};

const given = ValidateIf((_, value) => value !== undefined);

export class QuietHoursDto {
  @TextField({
    ...CLOCK,
    description: "In the recipient's time zone. If it is later than `to`, the quiet hours span midnight.",
  })
  from: string;

  @TextField(CLOCK)
  to: string;
}

export class ContactDetailsDto {
  @BooleanField({ optional: true, description: "Notify through the operator's webhook." })
  webhook?: boolean;

  @ApiProperty({ type: 'string', format: 'email', required: false })
  @given
  @IsEmail()
  email?: string;

  @TimeZoneField({ optional: true, description: "Default: UTC; for a carer, the user's time zone." })
  time_zone?: string;

  @ApiProperty({ type: QuietHoursDto, required: false })
  @given
  @IsObject()
  @ValidateNested()
  @Type(() => QuietHoursDto)
  quiet_hours?: QuietHoursDto;
}

export class EscalationStepDto {
  @TextField({ ...DURATION, description: 'Since the alert was raised.' })
  after: string;

  @EnumField(ESCALATION_TARGETS)
  to: EscalationTarget;

  @EnumField(['acknowledged'], { optional: true })
  until?: 'acknowledged';

  @TextField({
    ...INTERVAL,
    optional: true,
    description: 'Send reminders at this interval until the alert is acknowledged.',
  })
  repeat?: string;

  @ApiProperty({ enum: ALERT_KINDS, isArray: true, required: false })
  @given
  @IsIn(ALERT_KINDS, { each: true })
  @IsArray()
  kinds?: string[];
}

/** How and when a user and their carer are notified. */
export class ContactDto extends ContactDetailsDto {
  @ApiProperty({
    type: ContactDetailsDto,
    required: false,
    description: 'The recipient of the escalation steps to "carer".',
  })
  @given
  @IsObject()
  @ValidateNested()
  @Type(() => ContactDetailsDto)
  carer?: ContactDetailsDto;

  @ApiProperty({
    type: [EscalationStepDto],
    required: false,
    description: 'Default: the user, at once.',
  })
  @given
  @ValidateNested({ each: true })
  @Type(() => EscalationStepDto)
  @ArrayMaxSize(20)
  @IsArray()
  escalation?: EscalationStepDto[];
}
