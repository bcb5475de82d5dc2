import {
  canBeAcknowledged,
  composeMessage,
  DAY_MS,
  type Message,
  messageLinks,
  type MessageNames,
} from '#domain';
import { addressOver, type Alert, type ContactDetails, type Delivery } from '#persistence';
import { Clock, linkAddress, signLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

/** How long the link to what a message is about can be used. Milliseconds. */
const LINK_LIFETIME_MS = 3 * DAY_MS;
/** How long messages can be stopped by a mail: people may look for one of weeks ago. Milliseconds. */
const STOP_LIFETIME_MS = 60 * DAY_MS;

/** Composes messages, with the link by which a recipient acknowledges, or says what became of a dose. */
@Injectable()
export class Messages {
  constructor(
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** The message of a notification, from the alert as it is now. */
  compose(
    delivery: Delivery,
    alert: Alert,
    contact: ContactDetails | undefined,
    names: MessageNames,
  ): Message {
    const url = this.linkUrl(delivery, contact, 'a', LINK_LIFETIME_MS);
    const links = messageLinks(delivery.event, alert, canBeAcknowledged(alert), url);
    return composeMessage(delivery, alert, links, names);
  }

  /** A signed link by which this recipient stops messages to the address; undefined as of {@link linkUrl}. */
  stopUrl(delivery: Delivery, contact: ContactDetails): string | undefined {
    return this.linkUrl(delivery, contact, 's', STOP_LIFETIME_MS);
  }

  /** A signed link for this recipient; undefined without PUBLIC_URL and LINK_SECRET. */
  private linkUrl(
    { _id, channel }: Delivery,
    contact: ContactDetails | undefined,
    page: 'a' | 's',
    lifetimeMs: number,
  ): string | undefined {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    if (PUBLIC_URL === undefined || LINK_SECRET === undefined) return undefined;
    const expires_at = new Date(this.clock.now().getTime() + lifetimeMs);
    const address = (contact && addressOver(channel, contact)) ?? '';
    // it is valid for too long to answer with
    const onlyStops = page === 's' && { onlyStops: true as const };
    const token = signLink(LINK_SECRET, { id: _id, expires_at, ...onlyStops }, address);
    return linkAddress(PUBLIC_URL, page, token);
  }
}
