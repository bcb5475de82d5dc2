import { composeMessage, type Message } from '#domain';
import { ACTIVE_STATES, addressOver, type Alert, type ContactDetails, type Delivery } from '#persistence';
import { Clock, signLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

const LINK_LIFETIME_MS = 3 * 24 * 60 * 60_000;

/** Composes messages, with the link by which a recipient acknowledges. */
@Injectable()
export class Messages {
  constructor(
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** The message of a notification, from the alert as it is now. */
  compose(delivery: Delivery, alert: Alert, contact: ContactDetails | undefined): Message {
    // acknowledging a missed dose stops the steps that are still to come
    const canAcknowledge = ACTIVE_STATES.includes(alert.state) || alert.next_step_at;
    return composeMessage(
      delivery,
      alert,
      canAcknowledge ? this.acknowledgeUrl(delivery, contact) : undefined,
    );
  }

  /** A signed link for this recipient, valid for three days; undefined without PUBLIC_URL and LINK_SECRET. */
  private acknowledgeUrl(
    { _id, channel }: Delivery,
    contact: ContactDetails | undefined,
  ): string | undefined {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    if (PUBLIC_URL === undefined || LINK_SECRET === undefined) return undefined;
    const expires_at = new Date(this.clock.now().getTime() + LINK_LIFETIME_MS);
    const address = (contact && addressOver(channel, contact)) ?? '';
    const token = signLink(LINK_SECRET, { delivery_id: _id, expires_at }, address);
    return `${PUBLIC_URL.replace(/\/$/, '')}/a/${token}`;
  }
}
