import { Injectable, Logger } from '@nestjs/common';
import type { DeliveryChannel, Outgoing } from './channel.js';

/** Prints messages to the process's own output: what an operator has before there is a webhook. */
@Injectable()
export class ConsoleChannel implements DeliveryChannel {
  readonly name = 'console';
  readonly digests = false;
  readonly atOnce = 1;
  private readonly logger = new Logger('Delivery');

  async send(outgoing: readonly [Outgoing, ...Outgoing[]]): Promise<{ status?: number }> {
    for (const { delivery, message } of outgoing) {
      const { type, data } = message;
      this.logger.warn(
        `${type} ${data.kind} bottle=${data.bottle_id} user=${data.user_id} id=${delivery._id}`,
      );
    }
    return {};
  }
}
