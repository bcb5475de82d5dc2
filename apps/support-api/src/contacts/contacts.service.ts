import { type Contact, type ContactDetails, ContactsRepository, type Expected } from '#persistence';
import { Clock, definedOnly, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { changedMeanwhile } from '../http/versions.js';
import type { ContactDto, ContactDetailsDto } from './contact.dto.js';

const DEFAULT_ZONE = 'UTC';

/** How users are notified. Who they are is known to the operator's user service only. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 404 */
  async get(userId: string): Promise<Contact> {
    const contact = await this.contacts.findByUser(userId);
    if (!contact) throw Problem.notFound('contact');
    return contact;
  }

  /** @throws Problem 412 */
  async put(userId: string, body: ContactDto, expected: Expected): Promise<Contact> {
    const { carer, escalation, ...own } = body;
    const user = toDetails(own, DEFAULT_ZONE);
    const contact: Contact = {
      _id: userId,
      ...user,
      ...(carer ? { carer: toDetails(carer, user.time_zone) } : {}),
      ...(escalation ? { escalation: escalation.map(definedOnly) } : {}),
      changed_at: this.clock.now(),
    };
    const stored = await this.contacts.put(contact, expected);
    if (!stored) throw changedMeanwhile();
    return stored;
  }

  /** @throws Problem 404, 412 */
  async delete(userId: string, expected: Expected): Promise<void> {
    if (await this.contacts.delete(userId, expected)) return;
    await this.get(userId);
    throw changedMeanwhile();
  }
}

function toDetails({ quiet_hours, ...details }: ContactDetailsDto, zone: string): ContactDetails {
  return {
    ...definedOnly(details),
    time_zone: details.time_zone ?? zone,
    ...(quiet_hours ? { quiet_hours: { from: quiet_hours.from, to: quiet_hours.to } } : {}),
  };
}
