import { alertKindFacts } from '#domain';
import { DeliveriesRepository, type Delivery } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';
import type { Channel } from './channel.js';
import { OPERATOR } from './recipients.js';

/** When people were told something in the window that ends now, oldest first, by recipient. */
export type ToldLately = Map<string, Date[]>;

/**
 * Nobody gets more than so many messages in a window over one channel. What is more waits until there is room
 * again, once, and then comes together: over a channel that digests as one message. Nothing is dropped. Two
 * notifiers that tell one person at the same moment may go over it by what they have in hand.
 */
@Injectable()
export class Throttle {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** What the recipients of these messages were told lately; those that nothing can hold back are not asked for. */
  async read(channel: Channel, deliveries: readonly Delivery[]): Promise<ToldLately> {
    const limit = this.config.RECIPIENT_THROTTLE;
    const recipients = new Set(deliveries.filter(mayWait).map(({ recipient }) => recipient));
    if (!limit || recipients.size === 0) return new Map();
    const since = new Date(this.clock.now().getTime() - limit.seconds * 1_000);
    const told = await this.deliveries.findToldSince(channel.name, [...recipients], since);
    if (!channel.digests) return told;
    return new Map([...told].map(([recipient, moments]) => [recipient, distinct(moments)]));
  }

  /** Until when messages that would go together have to wait; undefined when they go now. */
  heldUntil(deliveries: readonly Delivery[], told: ToldLately): Date | undefined {
    const limit = this.config.RECIPIENT_THROTTLE;
    // what waits goes along with what does not
    if (!limit || !deliveries.every(mayWait)) return undefined;
    const moments = told.get(deliveries[0]!.recipient) ?? [];
    const makesRoom = moments[moments.length - limit.times];
    return makesRoom && new Date(makesRoom.getTime() + limit.seconds * 1_000);
  }

  /** Counts one more that was told, for the next messages of the page. */
  count({ recipient }: Delivery, at: Date, told: ToldLately): void {
    if (!told.get(recipient)?.push(at)) told.set(recipient, [at]);
  }
}

function mayWait({ recipient, kind, throttled }: Delivery): boolean {
  return recipient !== OPERATOR && !throttled && !alertKindFacts(kind).unthrottled;
}

/** Those that went as one message have one moment. */
function distinct(moments: readonly Date[]): Date[] {
  return moments.filter((moment, index) => moment.getTime() !== moments[index - 1]?.getTime());
}
