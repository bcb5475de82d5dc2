import { ALERT_KINDS, type AlertKind, type Person } from '#domain';
import { EnumField, EnumListField, InstantField, ListField, TextField } from '#platform';
import { UNREACHABLE_REASONS } from './contact-details.dto.js';

export class NotifiedPlanQuery {
  @InstantField({
    example: '2026-03-01T08:00:00Z',
    optional: true,
    description: 'Of a dose: with it, each step says when it would be sent if that dose is late.',
  })
  late_at?: string;
}

/** Where a notification goes. */
export class NotifiedAddressDto {
  @TextField()
  channel: string;

  @TextField({ nullable: true, description: 'The e-mail address or number.' })
  address: string | null;
}

/** Whom a step of an escalation reaches at the moment. */
export class NotifiedStepDto {
  @TextField({
    nullable: true,
    description: 'Since the alert was raised; null of a reminder.',
    example: '30m',
  })
  after: string | null;

  @TextField({ nullable: true, description: 'Of a reminder: since the dose was due.', example: '-10m' })
  remind: string | null;

  @TextField({ nullable: true, description: 'At this interval it is sent again.' })
  repeat: string | null;

  @EnumListField(ALERT_KINDS, { description: 'The kinds of alerts that the step is for; empty: all.' })
  kinds: AlertKind[];

  @TextField({ description: 'Whom the step names: `user`, or the id of a carer.' })
  to: Person;

  @TextField({
    nullable: true,
    description:
      'Who gets it: whom it names, or who stands in for them, at last `operator`; null if nobody does.',
  })
  goes_to: string | null;

  @TextField({ nullable: true, description: 'Of who gets it, as the contact names the person.' })
  name: string | null;

  @TextField({ nullable: true, description: 'Of whom the step names.' })
  named: string | null;

  @ListField(() => NotifiedAddressDto, { description: 'Where it goes.' })
  addresses: NotifiedAddressDto[];

  @EnumField(UNREACHABLE_REASONS, {
    nullable: true,
    description: 'Why it does not go to whom the step names.',
  })
  reason: (typeof UNREACHABLE_REASONS)[number] | null;

  @InstantField({
    nullable: true,
    description:
      'With `late_at`: when it would be sent, after the quiet hours of who gets it; null of a step that is not for a ' +
      'late dose.',
  })
  at: Date | null;
}

export class NotifiedPlanDto {
  @ListField(() => NotifiedStepDto, {
    description: 'In the order of the plan; a step to a group is one to each of its carers.',
  })
  steps: NotifiedStepDto[];
}
