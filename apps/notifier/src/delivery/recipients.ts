import { DEFAULT_ESCALATION, type EscalationStep, type EscalationTarget } from '#domain';
import { type Address, type Contact, ContactsRepository, type Delivery } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Channels } from './channels/index.js';

/** The recipient of everything that has no other: a program of the operator's. */
export const OPERATOR = 'operator';

/** Finds the recipients and channels for a user's alerts: from their contact, or the operator without one. */
@Injectable()
export class Recipients {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly channels: Channels,
  ) {}

  /** The contacts of these users, by user. What is no id, in a damaged record, has none. */
  async contactsOf(userIds: string[]): Promise<Map<string, Contact>> {
    const ids = [...new Set(userIds)].filter((id) => typeof id === 'string');
    if (ids.length === 0) return new Map();
    const found = await this.contacts.findByUsers(ids);
    return new Map(found.map((contact) => [contact._id, contact]));
  }

  /** A user's escalation policy. */
  escalationOf(contact: Contact | undefined): readonly EscalationStep[] {
    return contact?.escalation?.length ? contact.escalation : DEFAULT_ESCALATION;
  }

  /**
   * Where something for a person of a plan goes at this moment. Whoever has no address is replaced by the next person of
   * the plan, a carer by the user, and at last by the operator.
   *
   * @param plan the steps of the alert.
   */
  addresses(
    contact: Contact | undefined,
    to: EscalationTarget,
    plan: readonly Pick<EscalationStep, 'to'>[],
  ): Address[] {
    const replacements: EscalationTarget[] = to === 'carer' ? ['user'] : plan.map((step) => step.to);
    for (const person of contact ? new Set([to, ...replacements]) : []) {
      const addresses = this.addressesOf(contact, person);
      if (addresses.length > 0) return addresses;
    }
    return this.channels.all
      .filter(({ servesOperator }) => servesOperator)
      .map(({ name: channel }) => ({ recipient: OPERATOR, channel }));
  }

  /** Where a notification goes instead, because nobody is reached any more where it was to go; undefined if it goes there. */
  replacementOf(
    { recipient, channel }: Address,
    contact: Contact | undefined,
    plan: readonly Pick<EscalationStep, 'to'>[],
  ): Address | undefined {
    if (recipient === OPERATOR) return undefined;
    const person = recipient.startsWith('carer:') ? 'carer' : 'user';
    const isReached = this.addressesOf(contact, person).some((address) => address.channel === channel);
    return isReached ? undefined : this.addresses(contact, person, plan)[0];
  }

  /** A notification as if it had moved to where the same person is reached now; unchanged if there is nothing to move. */
  asReached(
    delivery: Delivery,
    contact: Contact | undefined,
    plan: readonly Pick<EscalationStep, 'to'>[],
  ): Delivery {
    const { recipient, channel, moved_from = [] } = delivery;
    const replacement = this.replacementOf(delivery, contact, plan);
    if (replacement?.recipient !== recipient) return delivery;
    return { ...delivery, ...replacement, moved_from: [...moved_from, { recipient, channel }] };
  }

  /** The addresses of one person of a contact, and of nobody else. */
  private addressesOf(contact: Contact | undefined, person: EscalationTarget): Address[] {
    const details = person === 'carer' ? contact?.carer : contact;
    if (!contact || !details) return [];
    return this.channels.all
      .filter((channel) => channel.serves(details))
      .map(({ name: channel }) => ({ recipient: `${person}:${contact._id}`, channel }));
  }
}
