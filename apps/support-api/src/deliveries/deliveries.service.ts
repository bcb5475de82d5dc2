import { DeliveriesRepository } from '#persistence';
import { Clock, Problem } from '#platform';
import { Marks } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { Cursors } from '../http/cursor.js';
import { toObjectId } from '../http/object-id.js';
import { cutPage, DEFAULT_LIMIT, type Page } from '../http/paging.js';
import type { ListDeliveriesQuery } from './delivery-requests.dto.js';
import { type DeliveryDto, deliveryView } from './delivery-views.dto.js';

const CURSORS = new Cursors('deliveries', { timed: true, idDigits: 32 });

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly marks: Marks,
    private readonly clock: Clock,
  ) {}

  async list({
    status,
    alert_id,
    cursor,
    limit = DEFAULT_LIMIT,
  }: ListDeliveriesQuery): Promise<Page<DeliveryDto>> {
    const found = await this.deliveries.findPage({
      ...(status === undefined ? {} : { status }),
      ...(alert_id === undefined ? {} : { alert_id: toObjectId(alert_id, 'alert_id') }),
      ...(cursor === undefined ? {} : { before: positionOf(cursor) }),
      limit: limit + 1,
    });
    return cutPage(found, limit, deliveryView, ({ _id, created_at }) =>
      CURSORS.encode({ id: _id, time: created_at }),
    );
  }

  /** Has a dead message sent again. @throws Problem 404, or 409 with the present status when it is not dead. */
  async replay(id: string): Promise<DeliveryDto> {
    const now = this.clock.now();
    const delivery = await this.deliveries.findById(id);
    if (!delivery) throw Problem.notFound('delivery');
    await this.marks.mark('deliveries', [delivery.created_at], now);
    const replayed = await this.deliveries.replay(id, now);
    if (replayed) return deliveryView(replayed);
    throw new Problem(
      409,
      'delivery_not_dead',
      `This delivery is ${delivery.status}; only a dead one can be replayed.`,
      [{ field: 'status', code: 'delivery_not_dead', message: delivery.status }],
    );
  }
}

function positionOf(cursor: string): { time: Date; id: string } {
  const { time, id } = CURSORS.decode(cursor);
  return { time: time!, id };
}
