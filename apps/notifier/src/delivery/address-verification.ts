import { type Contact, ContactsRepository, MOST_ASKED } from '#persistence';
import { Clock, linkAddress, signLink } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { NotifierConfig } from '../config.js';
import { AttemptLimit } from './attempt-limit.js';
import { DeliveryError } from './channel.js';
import { EmailChannel } from './channels/email/email.channel.js';

/** How long the link in a mail can be used. Milliseconds. */
const LINK_LIFETIME_MS = 7 * 24 * 60 * 60_000;
/** A mail that could not be sent is sent again after this time, ... */
const RETRY_MS = 10 * 60_000;
const HOUR_MS = 60 * 60_000;
/** ... and given up so long after the contact was changed. Milliseconds. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/**
 * Asks new addresses of contacts whether they are the right ones, by a mail with a link and without any data about a
 * patient. A killed notifier's mails are sent by the next one, perhaps a second time.
 */
@Injectable()
export class AddressVerification {
  private readonly logger = new Logger(AddressVerification.name);

  constructor(
    private readonly contacts: ContactsRepository,
    private readonly email: EmailChannel,
    private readonly limit: AttemptLimit,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** Sends the mails that are due; none without SMTP_URL, PUBLIC_URL and LINK_SECRET. */
  async run(stopping: () => boolean = () => false): Promise<void> {
    const { SMTP_URL, PUBLIC_URL, LINK_SECRET } = this.config;
    if (SMTP_URL === undefined || PUBLIC_URL === undefined || LINK_SECRET === undefined) return;
    while (!stopping()) {
      const now = this.clock.now();
      const until = new Date(now.getTime() + RETRY_MS);
      const contact = await this.contacts.claimVerification(now, until);
      if (!contact) return;
      const asked = await this.ask(contact, now);
      if (asked || now.getTime() - contact.changed_at.getTime() > GIVE_UP_MS)
        await this.contacts.endVerification(contact._id, until);
    }
  }

  /** @returns false if a mail has to be sent again */
  private async ask(contact: Contact, now: Date): Promise<boolean> {
    const { id, asked = [], recent = [] } = contact.verification!;
    const lastHour = recent.filter((at) => now.getTime() - at.getTime() < HOUR_MS);
    const unverified = [contact, contact.carer].filter((details) => details?.email_verified_at === null);
    const addresses = new Set(unverified.map((details) => details!.email!));
    let isDone = true;
    for (const to of addresses) {
      if (asked.includes(to)) continue;
      // whoever changes the address again and again writes to many people in our name
      if (lastHour.length >= MOST_ASKED) return false;
      try {
        await this.send(to, id, now);
        await this.contacts.noteAsked(contact._id, to, now);
        lastHour.push(now);
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        this.logger.warn(`a mail that asks an address for verification was not sent: ${error.message}`);
        isDone &&= error.permanent;
      }
    }
    return isDone;
  }

  private async send(to: string, id: string, now: Date): Promise<void> {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    const expires_at = new Date(now.getTime() + LINK_LIFETIME_MS);
    const url = linkAddress(PUBLIC_URL!, 'v', signLink(LINK_SECRET!, { id, expires_at }, to));
    await this.limit.run(this.email.timeLimitMs, (signal) =>
      this.email.sendMail({ to, subject: SUBJECT, text: textWith(url) }, signal),
    );
  }
}

const SUBJECT = 'Please confirm your e-mail address';

function textWith(url: string): string {
  return [
    'Somebody has entered this address to receive messages. To receive them, open this page and press its button:',
    url,
    'The link works for seven days. If you do not know what this is about, ignore this mail: nothing will be sent.',
  ].join('\n\n');
}
