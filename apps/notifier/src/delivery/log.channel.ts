import type { Delivery } from '#persistence';
import { Injectable, Logger } from '@nestjs/common';
import type { DeliveryChannel } from './channel.js';
import type { Message } from './message.js';

/** Writes messages to the process's log: what an operator has before there is a webhook. */
@Injectable()
export class LogChannel implements DeliveryChannel {
  readonly name = 'log';
  private readonly logger = new Logger('Delivery');

  async send(delivery: Delivery, { type, data }: Message): Promise<{ status?: number }> {
    this.logger.warn(`${type} ${data.kind} bottle=${data.bottle_id} user=${data.user_id} id=${delivery._id}`);
    return {};
  }
}
