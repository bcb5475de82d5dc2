import { DEFAULT_ESCALATION, type EscalationStep, type EscalationTarget } from '#domain';
import {
  type Address,
  type Contact,
  type ContactDetails,
  contactDetailsOf,
  ContactsRepository,
  type Delivery,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { Channels } from './channels/index.js';

/** The recipient of everything that has no other: a program of the operator's. */
export const OPERATOR = 'operator';

/** Whether an address is this one. */
export const isSameAddress =
  ({ recipient, channel }: Address) =>
  (other: Address): boolean =>
    other.recipient === recipient && other.channel === channel;

/** Whether a recipient is a carer, whoever that is at the moment. */
export const isCarer = ({ recipient }: Address): boolean => recipient.startsWith('carer:');

/** Whether the carer whom a notification reached is not the carer of today: that one knows nothing of it. */
export function wasToFormerCarer(delivery: Delivery, carer?: ContactDetails): boolean {
  if (!isCarer(delivery) || delivery.status === 'pending') return false;
  const since = carer?.carer_since;
  const last = delivery.attempts.at(-1)?.at;
  return since !== undefined && last !== undefined && last < since;
}

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
  addresses(contact: Contact | undefined, to: EscalationTarget, plan: readonly EscalationStep[]): Address[] {
    const replacements: EscalationTarget[] = to === 'carer' ? ['user'] : plan.map((step) => step.to);
    for (const person of contact ? new Set([to, ...replacements]) : []) {
      const addresses = this.addressesOf(`${person}:${contact!._id}`, contact);
      if (addresses.length > 0) return addresses;
    }
    return this.channels.all
      .filter(({ servesOperator }) => servesOperator)
      .map(({ name: channel }) => ({ recipient: OPERATOR, channel }));
  }

  /** Where a notification goes instead, because nobody is reached any more where it was to go; undefined if it goes there. */
  replacementOf(
    address: Address,
    contact: Contact | undefined,
    plan: readonly EscalationStep[],
  ): Address | undefined {
    if (address.recipient === OPERATOR) return undefined;
    const isReached = this.addressesOf(address.recipient, contact).some(isSameAddress(address));
    return isReached ? undefined : this.addresses(contact, isCarer(address) ? 'carer' : 'user', plan)[0];
  }

  /** A notification as if it had moved to where the same person is reached now; unchanged if there is nothing to move. */
  asReached(delivery: Delivery, contact: Contact | undefined, plan: readonly EscalationStep[]): Delivery {
    const { recipient, channel, moved_from = [] } = delivery;
    const replacement = this.replacementOf(delivery, contact, plan);
    if (replacement?.recipient !== recipient) return delivery;
    return { ...delivery, ...replacement, moved_from: [...moved_from, { recipient, channel }] };
  }

  /** The addresses of one person of a contact, and of nobody else. */
  private addressesOf(recipient: string, contact: Contact | undefined): Address[] {
    const details = contactDetailsOf(recipient, contact);
    if (!details) return [];
    return this.channels.all
      .filter((channel) => channel.serves(details))
      .map(({ name: channel }) => ({ recipient, channel }));
  }
}
