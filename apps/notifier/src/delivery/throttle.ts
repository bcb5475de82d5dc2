import { type DeliveryResult, mayBeDelayed, throttled } from '#domain';
import { type Delivery, ReceiversRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';
import type { Channel } from './channel.js';

/** When notifications were sent in the window that ends now, oldest first, by recipient. */
export type RecentlySent = Map<string, Date[]>;

/**
 * Limits how many messages a person, but no watchdog, gets over one channel in a window (`RECIPIENT_THROTTLE`). Further
 * notifications are delayed once, until there is room, and are then sent together: as one message over a channel that
 * digests. Nothing is dropped. Two notifiers that send to one person at the same time may exceed the limit by what they
 * have claimed.
 */
@Injectable()
export class Throttle {
  constructor(
    private readonly receivers: ReceiversRepository,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** Reads what the recipients of these notifications were sent recently, where a delay is possible. */
  async read(channel: Channel, deliveries: readonly Delivery[]): Promise<RecentlySent> {
    const limit = this.config.RECIPIENT_THROTTLE;
    const recipients = new Set(deliveries.filter(mayBeDelayed).map(({ recipient }) => recipient));
    if (!limit || recipients.size === 0) return new Map();
    const since = new Date(this.clock.now().getTime() - limit.seconds * 1_000);
    const sent = await this.receivers.findSentSince(channel.name, [...recipients], since);
    if (!channel.digests) return sent;
    return new Map([...sent].map(([recipient, moments]) => [recipient, distinct(moments)]));
  }

  /** The delay of notifications that would be sent together; undefined when they are sent now. */
  delay(deliveries: readonly Delivery[], sent: RecentlySent): DeliveryResult | undefined {
    return throttled(deliveries, sent.get(deliveries[0]!.recipient) ?? [], this.config.RECIPIENT_THROTTLE);
  }

  /** Counts a message that was sent, for the next ones of the page. */
  count({ recipient }: Delivery, at: Date, sent: RecentlySent): void {
    if (!sent.get(recipient)?.push(at)) sent.set(recipient, [at]);
  }
}

/** Notifications that were sent as one message have the same time. */
function distinct(moments: readonly Date[]): Date[] {
  return moments.filter((moment, index) => moment.getTime() !== moments[index - 1]?.getTime());
}
