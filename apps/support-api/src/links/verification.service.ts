import { recipientOf } from '#domain';
import {
  ADDRESS_CHANNELS,
  type Contact,
  type ContactDetails,
  ContactsRepository,
  peopleOf,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { WaitingMessages } from '../contacts/waiting-messages.js';
import { FollowedLinks } from './followed-links.js';
import { LinkAudit } from './link-audit.js';
import { button, notice, type Page } from './page.js';
import { languageOf } from '../http/language.js';
import { Reader } from './reader.js';

interface Asked {
  contact: Contact;
  address: string;
  reader: Reader;
}

/** What the recipient of a mail may do through its link: confirm that the address is theirs. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly links: FollowedLinks,
    private readonly contacts: ContactsRepository,
    private readonly audit: LinkAudit,
    private readonly waiting: WaitingMessages,
    private readonly clock: Clock,
  ) {}

  /** The page with the button. */
  async ask(token: string, accepted: string | undefined): Promise<Page> {
    const found = await this.find(token, accepted);
    if ('status' in found) return found;
    const { reader } = found;
    const confirm = button(reader.say('confirm'), '', true);
    return notice(reader, 200, 'confirm_address', ['confirm_address_text'], [confirm]);
  }

  async confirm(token: string, accepted: string | undefined): Promise<Page> {
    const found = await this.find(token, accepted);
    if ('status' in found) return found;
    const { contact, address, reader } = found;
    const [person] = peopleOf(contact).find(([, details]) => addressesOf(details).includes(address))!;
    const recipient = recipientOf(person, contact._id);
    if (await this.contacts.verify(contact._id, address, this.clock.now())) {
      await this.audit.recordOfContact(contact._id, recipient, 'contact.verify');
      await this.waiting.sendAgain(contact._id);
    }
    return notice(reader, 200, 'thank_you', ['confirmed']);
  }

  private async find(token: string, accepted: string | undefined): Promise<Asked | Page> {
    const reader = new Reader(languageOf(accepted));
    const link = this.links.open(token, reader, 'not_confirmed');
    if ('status' in link) return link;
    const contact = await this.contacts.findByVerification(link.id);
    const people = contact ? peopleOf(contact) : [];
    const address = people.flatMap(([, details]) => addressesOf(details)).find((one) => link.wasSentTo(one));
    return contact && address !== undefined
      ? { contact, address, reader }
      : notice(reader, 403, 'revoked', ['revoked_text']);
  }
}

function addressesOf(details: ContactDetails): string[] {
  return ADDRESS_CHANNELS.flatMap((channel) => details[channel] ?? []);
}
