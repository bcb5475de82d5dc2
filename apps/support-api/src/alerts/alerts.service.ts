import { type Alert, AlertsRepository, DeliveriesRepository } from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { Staff } from '../auth/staff.js';
import { deliveryView } from '../deliveries/delivery-views.dto.js';
import { Cursors } from '../http/cursor.js';
import { toObjectId } from '../http/object-id.js';
import { cutPage, DEFAULT_LIMIT, type Page } from '../http/paging.js';
import type { ListAlertsQuery, SnoozeDto } from './alert-requests.dto.js';
import { type AlertDetailDto, alertDetailView, type AlertDto, alertView } from './alert-views.dto.js';

const CURSORS = new Cursors('alerts', { timed: true });
const LONGEST_SNOOZE = 7 * 24 * 60 * 60_000;

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
    return done ? this.detail(done) : this.refuse(id, 'only an open one can be acknowledged');
  }

  /** @throws Problem 400 for a time that is not ahead, 404, or 409 when it has ended. */
  async snooze(id: Types.ObjectId, { name }: Staff, { until, note }: SnoozeDto): Promise<AlertDetailDto> {
    const now = this.clock.now();
    const end = new Date(until);
    if (end <= now || end.getTime() - now.getTime() > LONGEST_SNOOZE) {
      throw Problem.field('until', 'out_of_range', 'until must lie ahead, at most 7 days');
    }
    const done = await this.alerts.snooze(id, end, name, now, note);
    return done ? this.detail(done) : this.refuse(id, 'only one that has not ended can be snoozed');
  }

  /** @throws Problem 404, or 409 when it has ended already. */
  async resolve(id: Types.ObjectId, { name }: Staff, note: string | undefined): Promise<AlertDetailDto> {
    const done = await this.alerts.resolve(id, name, this.clock.now(), note);
    return done ? this.detail(done) : this.refuse(id, 'only one that has not ended can be resolved');
  }

  private async refuse(id: Types.ObjectId, rule: string): Promise<never> {
    const alert = await this.alerts.findById(id);
    if (!alert) throw Problem.notFound('alert');
    throw new Problem(409, 'alert_not_open', `This alert is ${alert.state}; ${rule}.`, [
      { field: 'state', code: 'alert_not_open', message: alert.state },
    ]);
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
