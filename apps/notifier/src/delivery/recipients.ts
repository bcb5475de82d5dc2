import { type Addressees, alertKindsThat } from '#domain';
import { type Alert, type Contact, type ContactDetails, ContactsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Channels } from './channels/index.js';

const FOR_OPERATOR = alertKindsThat('goesToOperator');

/** Reads the persons of users' alerts, and where they are reached. */
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

  /**
   * Where the people of an alert are reached at the moment.
   *
   * @param contacts by user; of a kind that goes to the operator they are nobody's.
   */
  addresseesOf(
    alert: Pick<Alert, 'kind' | 'user_id'> | undefined,
    contacts: ReadonlyMap<string, Contact>,
  ): Addressees<ContactDetails> {
    const contact = alert && !FOR_OPERATOR.includes(alert.kind) ? contacts.get(alert.user_id) : undefined;
    const channelsThat = (serve: (channel: Channels['all'][number]) => boolean): string[] =>
      this.channels.all.filter(serve).map(({ name }) => name);
    const reached = (details: ContactDetails) => ({
      details,
      channels: channelsThat((channel) => channel.serves(details)),
    });
    return {
      user: contact && { id: contact._id, person: reached(contact) },
      carer: contact?.carer && reached(contact.carer),
      operator: channelsThat(({ servesOperator }) => servesOperator),
    };
  }
}
