import { DAY_MS, HOUR_MS, type Language, recipientOf } from '#domain';
import { type Contact, ContactsRepository, MOST_ASKED, peopleOf, unverifiedAddress } from '#persistence';
import { Clock, linkAddress, signLink } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { NotifierConfig } from '../config.js';
import { AddressHealth } from './address-health.js';
import { AttemptLimit } from './attempt-limit.js';
import { type Channel, DeliveryError, type Sent } from './channel.js';
import { Channels } from './channels/index.js';

/** How long the link in a message can be used. Milliseconds. */
const LINK_LIFETIME_MS = 7 * DAY_MS;
/** A message that could not be sent is sent again after this time, ... */
const RETRY_MS = 10 * 60_000;
/** ... and given up so long after the contact was changed. Milliseconds. */
const GIVE_UP_MS = DAY_MS;

/**
 * Asks new addresses of contacts whether they are the right ones, over the channels that verify theirs. A killed
 * notifier's messages are sent by the next one, perhaps a second time.
 */
@Injectable()
export class AddressVerification {
  private readonly logger = new Logger(AddressVerification.name);

  constructor(
    private readonly contacts: ContactsRepository,
    private readonly channels: Channels,
    private readonly limit: AttemptLimit,
    private readonly health: AddressHealth,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** Sends the messages that are due; none without a channel that verifies, PUBLIC_URL and LINK_SECRET. */
  async run(stopping: () => boolean = () => false): Promise<void> {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    if (PUBLIC_URL === undefined || LINK_SECRET === undefined) return;
    if (!this.channels.all.some(({ verifyAddress }) => verifyAddress)) return;
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

  /** @returns false if a message has to be sent again */
  private async ask(contact: Contact, now: Date): Promise<boolean> {
    const { id, asked = [], recent = [] } = contact.verification!;
    const lastHour = recent.filter((at) => now.getTime() - at.getTime() < HOUR_MS);
    let isDone = true;
    for (const channel of this.channels.all) {
      const unverified = new Map(
        peopleOf(contact).map(([, details]) => [unverifiedAddress(channel.name, details), details.language]),
      );
      const whose = { recipient: recipientOf('user', contact._id), channel: channel.name };
      for (const [to, language] of unverified) {
        if (to === undefined || asked.includes(to)) continue;
        if (!channel.verifyAddress) {
          // another notifier may, or this one after its next start
          isDone = false;
          continue;
        }
        // whoever changes the address again and again writes to many people in our name
        if (lastHour.length >= MOST_ASKED) return false;
        try {
          const { awaitsReceipt } = await this.send(channel, { to, language }, id, now);
          await this.contacts.noteAsked(contact._id, to, now);
          if (!awaitsReceipt) await this.health.healed(whose, to);
          lastHour.push(now);
        } catch (error) {
          if (!(error instanceof DeliveryError)) throw error;
          this.logger.warn(`a message that asks an address for verification was not sent: ${error.message}`);
          if (error.refusal) await this.health.refused(whose, to, error.refusal, now);
          isDone &&= error.permanent;
        }
      }
    }
    return isDone;
  }

  /** Only over channels that verify. */
  private async send(
    channel: Channel,
    { to, language }: { to: string; language: Language | undefined },
    id: string,
    now: Date,
  ): Promise<Sent> {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    const expires_at = new Date(now.getTime() + LINK_LIFETIME_MS);
    const url = linkAddress(PUBLIC_URL!, 'v', signLink(LINK_SECRET!, { id, expires_at }, to));
    return this.limit.run(channel.timeLimitMs, (signal) => channel.verifyAddress!(to, url, language, signal));
  }
}
