import { ADDRESS_CHANNELS } from '#persistence';
import { BooleanField, EnumField, ListField } from '#platform';

/** What a new service needs before patients depend on it, in the order in which an operator does it. */
export const FIRST_STEPS = [
  'password',
  'second_factor',
  'public_url',
  'mail',
  'bottle',
  'contact',
  'test_message',
  'second_admin',
  'backup',
] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export class FirstStepDto {
  @EnumField(FIRST_STEPS, {
    description:
      'password: every active admin has chosen their own. second_factor: every active admin has one, or SECOND_FACTOR ' +
      'is off. public_url: PUBLIC_URL is set. mail: an e-mail was delivered, and the notifiers have a mail server. bottle, contact: there is one. ' +
      'test_message: a message reached somebody. second_admin: two may sign in. backup: an admin has confirmed one.',
  })
  step: FirstStep;

  @BooleanField()
  done: boolean;
}

export class ChannelSetUpDto {
  @EnumField(ADDRESS_CHANNELS)
  channel: (typeof ADDRESS_CHANNELS)[number];

  @BooleanField({ nullable: true, description: 'Whether all notifiers send over it; null if none runs.' })
  set_up: boolean | null;
}

export class FirstRunDto {
  @ListField(() => FirstStepDto, { description: 'In the order in which they are done.' })
  steps: FirstStepDto[];

  @ListField(() => ChannelSetUpDto, { description: 'Those over which people are reached.' })
  channels: ChannelSetUpDto[];
}
