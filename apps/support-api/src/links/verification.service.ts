import { ADDRESS_CHANNELS, type Contact, type ContactDetails, ContactsRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../auth/audit-log.js';
import { SupportApiConfig } from '../config.js';
import { openLink, type Page, page, revokedLink } from './page.js';

/** What the recipient of a mail may do through its link: confirm that the address is theirs. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** The page with the button. */
  async ask(token: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    const text =
      'Messages will come to the address to which this link was sent. Is it yours, and do you expect them?';
    return page(200, 'Confirm your address', text, [['Confirm', '']]);
  }

  async confirm(token: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    const { contact, address } = found;
    const isUser = addressesOf(contact).includes(address);
    const recipient = `${isUser ? 'user' : 'carer'}:${contact._id}`;
    if (await this.contacts.verify(contact._id, address, this.clock.now()))
      await this.audit.record(
        { kind: 'link', id: recipient, name: recipient },
        { action: 'contact.verify', subject: { kind: 'contact', id: contact._id } },
      );
    return page(200, 'Thank you', 'Your address is confirmed.');
  }

  private async find(token: string): Promise<{ contact: Contact; address: string } | Page> {
    const link = openLink(this.config, token, this.clock.now(), 'The address was not confirmed.');
    if ('html' in link) return link;
    const contact = await this.contacts.findByVerification(link.id);
    const address = [contact, contact?.carer].flatMap(addressesOf).find((one) => link.wasSentTo(one));
    return contact && address !== undefined ? { contact, address } : revokedLink();
  }
}

function addressesOf(details: ContactDetails | null | undefined): string[] {
  return details ? ADDRESS_CHANNELS.flatMap((channel) => details[channel] ?? []) : [];
}
