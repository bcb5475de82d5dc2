import { type Alert, AlertsRepository, DeliveriesRepository } from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { Staff } from '../auth/staff.guard.js';
import { deliveryView } from '../deliveries/delivery-views.dto.js';
import { Cursors } from '../http/cursor.js';
import { toObjectId } from '../http/object-id.js';
import { cutPage, DEFAULT_LIMIT, type Page } from '../http/paging.js';
import type { ListAlertsQuery } from './alert-requests.dto.js';
import { type AlertDetailDto, alertDetailView, type AlertDto, alertView } from './alert-views.dto.js';

const CURSORS = new Cursors('alerts', { timed: true });

@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  async list({
    state,
    kind,
    bottle_id,
    cursor,
    limit = DEFAULT_LIMIT,
  }: ListAlertsQuery): Promise<Page<AlertDto>> {
    const found = await this.alerts.findPage({
      ...(state === undefined ? {} : { state }),
      ...(kind === undefined ? {} : { kind }),
      ...(bottle_id === undefined ? {} : { bottle_id: toObjectId(bottle_id, 'bottle_id') }),
      ...(cursor === undefined ? {} : { before: positionOf(cursor) }),
      limit: limit + 1,
    });
    return cutPage(found, limit, alertView, ({ _id, raised_at }) =>
      CURSORS.encode({ id: _id.toHexString(), time: raised_at }),
    );
  }

  /** @throws Problem 404 */
  async get(id: Types.ObjectId): Promise<AlertDetailDto> {
    const alert = await this.alerts.findById(id);
    if (!alert) throw Problem.notFound('alert');
    return this.detail(alert);
  }

  /** @throws Problem 404, or 409 with the present state when it is not open: someone else was first, or it ended. */
  async acknowledge(id: Types.ObjectId, { name }: Staff, note: string | undefined): Promise<AlertDetailDto> {
    const done = await this.alerts.acknowledge(id, name, this.clock.now(), note);
    if (done) return this.detail(done);
    const alert = await this.alerts.findById(id);
    if (!alert) throw Problem.notFound('alert');
    throw new Problem(
      409,
      'alert_not_open',
      `This alert is ${alert.state}; only an open one can be acknowledged.`,
      [{ field: 'state', code: 'alert_not_open', message: alert.state }],
    );
  }

  private async detail(alert: Alert): Promise<AlertDetailDto> {
    const deliveries = await this.deliveries.findByAlerts([alert._id]);
    return alertDetailView(alert, deliveries.map(deliveryView));
  }
}

function positionOf(cursor: string): { raised_at: Date; id: Types.ObjectId } {
  const { time, id } = CURSORS.decode(cursor);
  return { raised_at: time!, id: toObjectId(id, 'cursor') };
}
