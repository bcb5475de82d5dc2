import { userIn } from '#domain';
import {
  ContactsRepository,
  DeliveriesRepository,
  DeliveryListsRepository,
  ReceiversRepository,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { toObjectId } from '../http/ids.js';
import { type ByTime, Cursors, type Page, readPage } from '../http/paging.js';
import {
  type DeliveryDto,
  deliveryView,
  type ListDeliveriesQuery,
  type MessageDto,
  type SentPendingDto,
} from './delivery.dto.js';
import { boundsOf } from '../http/time-range.js';
import { MessagesService } from './messages.service.js';

const CURSORS = new Cursors<ByTime<string>>('deliveries', { timed: true, idDigits: 32 });

/** How many pending notifications one request sends, and how many of them in a second. */
const SENT_AT_ONCE = { limit: 500, perSecond: 50 };

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly lists: DeliveryListsRepository,
    private readonly receivers: ReceiversRepository,
    private readonly contacts: ContactsRepository,
    private readonly messages: MessagesService,
    private readonly dirtyBuckets: DirtyBuckets,
    private readonly clock: Clock,
  ) {}

  async list({ status, alert_id, channel, ...query }: ListDeliveriesQuery): Promise<Page<MessageDto>> {
    const alert = alert_id === undefined ? undefined : toObjectId(alert_id, 'alert_id');
    const range = boundsOf(query);
    return readPage(query, {
      cursors: CURSORS,
      find: (before, limit) =>
        this.lists.findPage({ status, channel, alert_id: alert, ...range, before, limit }),
      positionOf: ({ _id, created_at }) => ({ id: _id, time: created_at }),
      show: (deliveries) => this.messages.show(deliveries),
    });
  }

  /** Sends what failed and waits for its next attempt now. */
  async sendPending(): Promise<SentPendingDto> {
    const sent = await this.receivers.sendPending(this.clock.now(), SENT_AT_ONCE);
    return { sent: sent.map(({ _id, bottle_id }) => ({ id: _id, bottle_id: bottle_id.toHexString() })) };
  }

  /** Sends a dead notification again. @throws Problem 404; 409 with the current status if it is not dead */
  async replay(id: string): Promise<DeliveryDto> {
    const now = this.clock.now();
    const delivery = await this.deliveries.findById(id);
    if (!delivery) throw Problem.notFound('delivery');
    await this.dirtyBuckets.add('deliveries', [delivery.created_at], now);
    const replayed = await this.deliveries.replay(id, now);
    if (replayed) {
      const [contact] = await this.contacts.findByUsers([userIn(replayed.recipient) ?? '']);
      return deliveryView(replayed, contact);
    }
    throw new Problem(
      409,
      'delivery_not_dead',
      `This delivery is ${delivery.status}; only a dead one can be replayed.`,
      [{ field: 'status', code: 'delivery_not_dead', message: delivery.status }],
    );
  }
}
