import { DEFAULT_ESCALATION, type EscalationStep, type EscalationTarget } from '#domain';
import { type Contact, ContactsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Channel } from './channel.js';
import { Channels } from './channels/index.js';

/** A recipient and the channel to use. */
export interface Address {
  /** `operator`, `user:ID` or `carer:ID`. */
  recipient: string;
  channel: string;
}

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

  /** Where a step goes. Without a carer it goes to the user; without any channel it goes to the operator. */
  addresses(contact: Contact | undefined, to: EscalationTarget): Address[] {
    if (contact) {
      const [details, recipient] =
        to === 'carer' && contact.carer
          ? [contact.carer, `carer:${contact._id}`]
          : [contact, `user:${contact._id}`];
      const addresses = this.addressesOver((channel) => channel.serves(details), recipient);
      if (addresses.length > 0) return addresses;
    }
    return this.addressesOver(({ servesOperator }) => servesOperator, OPERATOR);
  }

  private addressesOver(isUsed: (channel: Channel) => boolean, recipient: string): Address[] {
    return this.channels.all.filter(isUsed).map(({ name }) => ({ recipient, channel: name }));
  }
}
