import { ALERT_KINDS, type AlertKind, ESCALATION_TARGETS, type EscalationTarget, OPERATOR } from '#domain';
import { EnumField, EnumListField, ListField, TextField } from '#platform';
import { UNREACHABLE_REASONS } from './contact.dto.js';

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

  @EnumField(ESCALATION_TARGETS, { description: 'Whom the step names.' })
  to: EscalationTarget;

  @EnumField([...ESCALATION_TARGETS, OPERATOR], {
    nullable: true,
    description: 'Who gets it: whom it names, or who stands in for them; null if nobody does.',
  })
  goes_to: EscalationTarget | typeof OPERATOR | null;

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
}

export class NotifiedPlanDto {
  @ListField(() => NotifiedStepDto, { description: 'In the order of the plan.' })
  steps: NotifiedStepDto[];
}
