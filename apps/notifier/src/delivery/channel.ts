import type { Channel as ChannelName, Delivery, Reach } from '#persistence';
import type { Message } from './message.js';

/** A message on its way. */
export interface Outgoing {
  delivery: Delivery;
  message: Message;
}

/** One way to reach someone. */
export interface DeliveryChannel {
  readonly name: ChannelName;
  /** True when several messages to one recipient are sent as one. */
  readonly digests: boolean;
  /** How many a notifier sends at the same time. */
  readonly atOnce: number;
  /**
   * Sends messages to one recipient; the deliveries' ids go with them, so that a repeat can be dropped.
   *
   * @param outgoing one message, or several for a channel that digests.
   * @param reach undefined for the operator.
   * @returns the receiver's status, if the channel has such a thing.
   * @throws DeliveryError
   */
  send(outgoing: readonly [Outgoing, ...Outgoing[]], reach: Reach | undefined): Promise<{ status?: number }>;
}

/** An attempt failed. */
export class DeliveryError extends Error {
  constructor(
    message: string,
    /** True when trying again cannot help. */
    readonly permanent: boolean,
    /** The receiver's answer; undefined when there was none, so that it may have arrived all the same. */
    readonly status?: number,
  ) {
    super(message);
    this.name = 'DeliveryError';
  }
}
