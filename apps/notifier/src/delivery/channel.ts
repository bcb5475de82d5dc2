import type { Channel as ChannelName, Delivery } from '#persistence';
import type { Message } from './message.js';

/** One way to reach someone. */
export interface DeliveryChannel {
  readonly name: ChannelName;
  /**
   * Sends the message; the delivery's id goes with it, so that a repeat can be dropped.
   *
   * @returns the receiver's status, if the channel has such a thing.
   * @throws DeliveryError
   */
  send(delivery: Delivery, message: Message): Promise<{ status?: number }>;
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
