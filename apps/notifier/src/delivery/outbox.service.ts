import { derivedMessageId } from '#domain';
import {
  type Alert,
  type Channel,
  DeliveriesRepository,
  type Delivery,
  type MessageEvent,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

const OPERATOR = 'operator';

/** Puts messages into the outbox: the document exists before the first attempt to send. */
@Injectable()
export class OutboxService {
  private readonly channel: Channel;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    config: NotifierConfig,
  ) {
    this.channel = config.WEBHOOK_URL === undefined ? 'log' : 'webhook';
  }

  /** Queues messages about alerts. The same message is queued once, however often this is called. */
  async enqueue(messages: { alert: Alert; event: MessageEvent }[], now: Date): Promise<void> {
    await this.deliveries.enqueue(messages.map(({ alert, event }) => this.message(alert, event, now)));
  }

  private message(alert: Alert, event: MessageEvent, now: Date): Delivery {
    const { channel } = this;
    return {
      _id: derivedMessageId('delivery', alert._id.toHexString(), event, OPERATOR, channel),
      alert_id: alert._id,
      bottle_id: alert.bottle_id,
      kind: alert.kind,
      event,
      step: event,
      recipient: OPERATOR,
      channel,
      status: 'pending',
      attempts: [],
      next_attempt_at: now,
      created_at: now,
    };
  }
}
