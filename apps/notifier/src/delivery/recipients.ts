import { DEFAULT_ESCALATION, type EscalationStep, type EscalationTarget } from '#domain';
import { type Channel, type Contact, ContactsRepository, type Reach } from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

/** One address: who, over which channel. */
export interface Address {
  /** `operator`, `user:ID` or `carer:ID`. */
  recipient: string;
  channel: Channel;
}

/** The recipient of what nobody else is there for: a program of the operator's. */
export const OPERATOR = 'operator';

/** Knows who is told for a user, and how: their contact, or the operator where there is none. */
@Injectable()
export class Recipients {
  private readonly operatorChannel: Channel;

  constructor(
    private readonly contacts: ContactsRepository,
    config: NotifierConfig,
  ) {
    this.operatorChannel = config.WEBHOOK_URL === undefined ? 'console' : 'webhook';
  }

  /** The contacts of these users, by user. */
  async contactsOf(userIds: string[]): Promise<Map<string, Contact>> {
    if (userIds.length === 0) return new Map();
    const found = await this.contacts.findByUsers([...new Set(userIds)]);
    return new Map(found.map((contact) => [contact._id, contact]));
  }

  /** The plan that holds for a user. */
  escalationOf(contact: Contact | undefined): readonly EscalationStep[] {
    return contact?.escalation?.length ? contact.escalation : DEFAULT_ESCALATION;
  }

  /** Where a step goes. A carer that is not known is the user; a user without any address is the operator's. */
  addresses(contact: Contact | undefined, to: EscalationTarget): Address[] {
    if (!contact) return [{ recipient: OPERATOR, channel: this.operatorChannel }];
    const [reach, recipient] =
      to === 'carer' && contact.carer
        ? [contact.carer, `carer:${contact._id}`]
        : [contact, `user:${contact._id}`];
    const channels: Channel[] = [
      ...(reach.webhook ? [this.operatorChannel] : []),
      ...(reach.email === undefined ? [] : (['email'] as const)),
    ];
    return channels.length === 0
      ? [{ recipient: OPERATOR, channel: this.operatorChannel }]
      : channels.map((channel) => ({ recipient, channel }));
  }

  /** How the recipient of a delivery is reached now; undefined for the operator, or when the contact is gone. */
  reachOf(recipient: string, contact: Contact | undefined): Reach | undefined {
    if (!contact || recipient === OPERATOR) return undefined;
    return recipient.startsWith('carer:') ? contact.carer : contact;
  }
}
