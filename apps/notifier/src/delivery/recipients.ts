import { type Addressees, alertKindsThat } from '#domain';
import {
  addresseesOf,
  type Alert,
  type Contact,
  type ContactDetails,
  ContactsRepository,
} from '#persistence';
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
   * @param now the moment.
   */
  addresseesOf(
    alert: Pick<Alert, 'kind' | 'user_id'> | undefined,
    contacts: ReadonlyMap<string, Contact>,
    now: Date,
  ): Addressees<ContactDetails> {
    const contact = alert && !FOR_OPERATOR.includes(alert.kind) ? contacts.get(alert.user_id) : undefined;
    return addresseesOf(contact, this.channels.setUp, now);
  }
}
