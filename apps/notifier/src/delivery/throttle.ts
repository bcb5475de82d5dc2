import { type DeliveryResult, mayBeDelayed, throttled } from '#domain';
import {
  addressOver,
  type Contact,
  contactDetailsOf,
  type Delivery,
  ReceiversRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';
import type { Channel } from './channel.js';

/** Whom notifications were sent in the window that ends now. */
export interface RecentlySent {
  /** Whose limit it is: the recipient's, or that of the address. Undefined if there is none. */
  limitedBy: (delivery: Delivery) => string | undefined;
  /** When, oldest first. */
  sent: Map<string, Date[]>;
}

/**
 * Limits how many messages a person, but no watchdog, gets over one channel in a window (`RECIPIENT_THROTTLE`); over one
 * that limits addresses, how many go to an address. Further notifications are delayed once, until there is room, and are
 * then sent together: as one message over a channel that digests. Nothing is dropped. Two notifiers that send to one
 * person at the same time may exceed the limit by what they have claimed.
 */
@Injectable()
export class Throttle {
  constructor(
    private readonly receivers: ReceiversRepository,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads what was sent recently, where a delay is possible.
   *
   * @param contactOf the contact to which the recipient of a notification belongs
   */
  async read(
    channel: Channel,
    deliveries: readonly Delivery[],
    contactOf: (delivery: Delivery) => Contact | undefined,
  ): Promise<RecentlySent> {
    const limitedBy = (delivery: Delivery): string | undefined => {
      if (!channel.limitsAddresses) return delivery.recipient;
      const details = contactDetailsOf(delivery.recipient, contactOf(delivery));
      return details && addressOver(channel.name, details);
    };
    return { limitedBy, sent: await this.readSent(channel, deliveries, limitedBy) };
  }

  private async readSent(
    channel: Channel,
    deliveries: readonly Delivery[],
    limitedBy: RecentlySent['limitedBy'],
  ): Promise<Map<string, Date[]>> {
    const limit = this.config.RECIPIENT_THROTTLE;
    const limited = new Set(deliveries.filter(mayBeDelayed).flatMap((one) => limitedBy(one) ?? []));
    if (!limit || limited.size === 0) return new Map();
    const since = new Date(this.clock.now().getTime() - limit.seconds * 1_000);
    if (channel.limitsAddresses) return this.receivers.findSentToSince([...limited], since);
    const sent = await this.receivers.findSentSince(channel.name, [...limited], since);
    if (!channel.digests) return sent;
    return new Map([...sent].map(([recipient, moments]) => [recipient, distinct(moments)]));
  }

  /** The delay of notifications that would be sent together; undefined when they are sent now. */
  delay(deliveries: readonly Delivery[], { limitedBy, sent }: RecentlySent): DeliveryResult | undefined {
    const limited = limitedBy(deliveries[0]!);
    return throttled(deliveries, (limited && sent.get(limited)) || [], this.config.RECIPIENT_THROTTLE);
  }

  /** Counts a message that was sent, for the next ones of the page. */
  count(delivery: Delivery, at: Date, { limitedBy, sent }: RecentlySent): void {
    const limited = limitedBy(delivery);
    if (limited !== undefined && !sent.get(limited)?.push(at)) sent.set(limited, [at]);
  }
}

/** Notifications that were sent as one message have the same time. */
function distinct(moments: readonly Date[]): Date[] {
  return moments.filter((moment, index) => moment.getTime() !== moments[index - 1]?.getTime());
}
