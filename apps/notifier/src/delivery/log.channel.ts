import { Injectable, Logger } from '@nestjs/common';
import type { DeliveryChannel, Outgoing } from './channel.js';

/** Writes messages to the process's log: what an operator has before there is a webhook. */
@Injectable()
export class LogChannel implements DeliveryChannel {
  readonly name = 'log';
  readonly digests = false;
  private readonly logger = new Logger('Delivery');

  async send([{ delivery, message }]: readonly [Outgoing, ...Outgoing[]]): Promise<{ status?: number }> {
    const { type, data } = message;
    this.logger.warn(`${type} ${data.kind} bottle=${data.bottle_id} user=${data.user_id} id=${delivery._id}`);
    return {};
  }
}
