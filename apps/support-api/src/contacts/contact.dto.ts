import {
  ALARMING_KINDS,
  ESCALATION_TARGETS,
  type EscalationTarget,
  type Language,
  LANGUAGES,
  OPERATOR,
} from '#domain';
import {
  addressOver,
  CONTACT_CHANNELS,
  type Contact,
  type ContactChannel,
  type ContactDetails,
  ENTERED_CHANNELS,
  isEntered,
  type TestMessage,
  verifiedField,
} from '#persistence';
import {
  BooleanField,
  definedOnly,
  EmailField,
  EnumField,
  EnumListField,
  InstantField,
  NumberField,
  TextField,
  TimeZoneField,
} from '#platform';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { viewOf } from '../http/view.js';

const CLOCK = {
  pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
  hint: 'must be a time such as 22:00',
  lengths: [5, 5],
} as const;
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

const INTERVAL = {
  // at most one reminder per minute
  pattern: /^([6-9]\d|[1-9]\d{2,4})s$|^[1-9]\d{0,4}[mhd]$/,
  hint: 'must be a duration of a minute or more, such as 30m',
  lengths: [2, 6],
  example: '30m',
} as const;

/** Of an escalation. */
const MAX_STEPS = 20;

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

const given = ValidateIf((_, value) => value !== undefined);

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

  @EnumField([...ESCALATION_TARGETS, OPERATOR], {
    optional: true,
    description:
      'Who gets messages for this person instead: the next in the plan, at last the operator. Absent if nobody does. ' +
      'Of no effect in a request.',
  })
  messages_go_to?: EscalationTarget | typeof OPERATOR;
}

export class ContactDetailsDto extends ReachabilityDto {
  @TextField({
    optional: true,
    max: 200,
    description: 'For staff and webhooks; mails and SMS do not contain it.',
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
    description: 'Of the pages behind the links in messages. Default: the language of the browser.',
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

  @EnumListField(ALARMING_KINDS, { optional: true, min: 1, description: 'Default: all.' })
  kinds?: string[];
}

export class ContactWarningDto {
  @EnumField(['no_bottles'])
  code: 'no_bottles';

  @TextField({ max: 200, description: 'A sentence for people.' })
  text: string;
}

/** How and when a user and their carer are notified. */
export class ContactDto extends ContactDetailsDto {
  @BooleanField({
    optional: true,
    description:
      'They fill a pillbox every week: when pills are removed that suffice for later doses, it is asked whether they ' +
      'are in it.',
  })
  fills_pillbox?: boolean;

  @ApiProperty({
    type: ContactDetailsDto,
    required: false,
    description: 'The recipient of the escalation steps to "carer", with the same details.',
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

export function contactView(
  {
    _id,
    changed_at,
    version: _version,
    verification: _asked,
    test: _test,
    refusals_due_at: _due,
    carer,
    ...user
  }: Contact,
  reachability: { user: ReachabilityDto; carer?: ReachabilityDto },
  warnings: ContactWarningDto[],
): ContactDto {
  return {
    ...detailsView(user, changed_at),
    ...reachability.user,
    ...(carer && { carer: { ...detailsView(carer, changed_at), ...reachability.carer } }),
    warnings,
  };
}

export class SendTestDto {
  @EnumField(['user', 'carer'])
  to: 'user' | 'carer';

  @EnumField(CONTACT_CHANNELS)
  channel: ContactChannel;
}

export class TestMessageDto {
  @EnumField(['user', 'carer'])
  to: string;

  @TextField()
  channel: string;

  @EnumField(['pending', 'delivered', 'failed'])
  state: string;

  @TextField({ description: 'The name of who asked for it.' })
  by: string;

  @InstantField()
  at: Date;

  @InstantField({ nullable: true })
  attempted_at: Date | null;

  @NumberField({ nullable: true, description: "The receiver's HTTP or SMTP status, if there was an answer." })
  status: number | null;

  @TextField({ nullable: true, description: 'Why it failed.' })
  error: string | null;
}

export function testView(test: TestMessage): TestMessageDto {
  const { due_at, error } = test;
  const result = error === undefined ? 'delivered' : 'failed';
  return viewOf(TestMessageDto, { ...test, state: due_at ? 'pending' : result });
}

/** Undefined without an address; of the webhook, if it is not refused. */
function healthView(
  channel: ContactChannel,
  details: ContactDetails,
  changedAt: Date,
): AddressHealthDto | undefined {
  const view = (state: AddressHealthDto['state'], since: Date | undefined): AddressHealthDto => ({
    state,
    ...(since && { since: since.toISOString() }),
  });
  const refusal = details.refused?.[channel];
  if (channel === 'webhook' && !(details.webhook && refusal)) return undefined;
  if (channel !== 'webhook') {
    if (details[channel] === undefined) return undefined;
    const paused = details.paused?.[channel];
    if (paused) return view('paused', paused);
  }
  if (refusal) return { ...view('refused', refusal.at), by: refusal.by, reply: refusal.reply };
  if (channel === 'webhook') return undefined;
  if (!isEntered(channel))
    return addressOver(channel, details) === undefined ? undefined : view('verified', details.push_since);
  const verifiedAt = details[verifiedField(channel)];
  return verifiedAt === null
    ? view('unverified', details[`${channel}_since`])
    : view('verified', verifiedAt ?? changedAt);
}

/** An address that a version without verification wrote is shown as the migration would leave it. */
function detailsView(all: ContactDetails, changedAt: Date): ContactDetailsDto {
  const {
    carer_since: _since,
    email_since: _email,
    sms_since: _sms,
    push: _push,
    push_since: _pushSince,
    push_browsers: _browsers,
    refused: _refused,
    paused: _paused,
    ...details
  } = all;
  const times = ENTERED_CHANNELS.map((channel) => {
    const { [channel]: address, [verifiedField(channel)]: verifiedAt } = details;
    const at = verifiedAt === undefined && address !== undefined ? changedAt : verifiedAt;
    return [verifiedField(channel), at?.toISOString()];
  });
  const healths = CONTACT_CHANNELS.map((channel) => [
    `${channel}_health`,
    healthView(channel, all, changedAt),
  ]);
  return definedOnly({
    ...details,
    ...(addressOver('push', all) !== undefined && { push: true }),
    ...Object.fromEntries([...times, ...healths]),
  } as ContactDetailsDto);
}
