import { type Person, recipientOf } from '#domain';
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
import { FollowedLinks, readerOf } from './followed-links.js';
import { LinkAudit } from './link-audit.js';
import { button, notice, type Page } from './page.js';
import { languageOf } from '../http/language.js';
import { Reader } from './reader.js';

interface Asked {
  contact: Contact;
  person: Person;
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
    const { contact, person, address, reader } = found;
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
    for (const [person, details] of contact ? peopleOf(contact) : []) {
      const address = addressesOf(details).find((one) => link.wasSentTo(one));
      if (contact && address !== undefined)
        return { contact, person, address, reader: readerOf(details, reader.language) };
    }
    return notice(reader, 403, 'revoked', ['revoked_text']);
  }
}

function addressesOf(details: ContactDetails): string[] {
  return ADDRESS_CHANNELS.flatMap((channel) => details[channel] ?? []);
}
