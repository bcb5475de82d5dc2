import { Injectable, Logger } from '@nestjs/common';
import { NotifierConfig } from '../../../config.js';
import type { Channel, Notification, OperatorEvent } from '../../channel.js';

/** Stands in for the webhook until `WEBHOOK_URL` is set: one line of the notifier's log for each notification. */
@Injectable()
export class ConsoleChannel implements Channel {
  readonly name = 'console';
  readonly digests = false;
  readonly concurrency = 1;
  readonly timeLimitMs = 1_000;
  readonly isSetUp: boolean;
  private readonly logger = new Logger('Delivery');

  constructor({ WEBHOOK_URL }: NotifierConfig) {
    this.isSetUp = WEBHOOK_URL === undefined;
  }

  async send(notifications: readonly Notification[]): Promise<{ status?: number }> {
    for (const { delivery, message } of notifications) {
      const { type, data } = message;
      this.logger.warn(`${type} ${data.kind} bottle=${data.bottle_id} id=${delivery._id}`);
    }
    return {};
  }

  async notifyOperator(id: string, { type }: OperatorEvent): Promise<void> {
    this.logger.warn(`${type} id=${id}`);
  }

  async answers(): Promise<boolean> {
    return true;
  }
}
