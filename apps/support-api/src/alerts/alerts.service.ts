import { type AlertKind, BY_URGENCY } from '#domain';
import {
  type Alert,
  AlertListsRepository,
  AlertsRepository,
  DeliveriesRepository,
  FLEET_ID,
} from '#persistence';
import { Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { deliveryView } from '../deliveries/delivery.dto.js';
import { toObjectId } from '../http/ids.js';
import { type ByTime, Cursors, invalidCursor, type Page, readPage } from '../http/paging.js';
import {
  type AlertDetailDto,
  alertDetailView,
  type AlertDto,
  type AlertOrder,
  alertView,
  type ListAlertsQuery,
} from './alert.dto.js';

type ByKind = ByTime & { group: AlertKind };

const CURSORS = new Cursors<ByTime>('alerts', { timed: true });
const WAITING_CURSORS: Record<AlertOrder, Cursors<ByKind>> = {
  needs_person: new Cursors('needs_person', { timed: true, groups: BY_URGENCY }),
  comes_back: new Cursors('comes_back', { timed: true, groups: BY_URGENCY }),
};

/** Lists and details of alerts. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly lists: AlertListsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** @throws Problem 400 for a cursor of another list, or an order that cannot be combined with a filter */
  async list({ order, ...query }: ListAlertsQuery): Promise<Page<AlertDto>> {
    return order ? this.listWaiting(order, query) : this.listNewest(query);
  }

  /** @throws Problem 404 */
  async get(id: Types.ObjectId): Promise<AlertDetailDto> {
    const alert = await this.alerts.findById(id);
    if (!alert) throw Problem.notFound('alert');
    return this.detail(alert);
  }

  async detail(alert: Alert): Promise<AlertDetailDto> {
    const deliveries = await this.deliveries.findByAlerts([alert._id]);
    return alertDetailView(alert, deliveries.map(deliveryView));
  }

  private listNewest({ state, kind, bottle_id, ...query }: ListAlertsQuery): Promise<Page<AlertDto>> {
    const bottle = bottle_id === undefined ? undefined : toObjectId(bottle_id, 'bottle_id');
    return readPage(query, {
      cursors: CURSORS,
      find: (before, limit) => this.lists.findPage({ state, kind, bottle_id: bottle, before, limit }),
      positionOf: ({ _id, raised_at }) => ({ id: _id, time: raised_at }),
      show: (alerts) => this.show(alerts),
    });
  }

  private async listWaiting(
    order: AlertOrder,
    { state, kind, bottle_id, ...query }: ListAlertsQuery,
  ): Promise<Page<AlertDto>> {
    if (state !== undefined || bottle_id !== undefined)
      throw Problem.field('order', 'forbidden_field', 'order cannot be combined with state or bottle_id');
    const open = order === 'needs_person';
    // asked for by their kind, they are listed
    const [incident] = open && !kind ? await this.alerts.findOpen([FLEET_ID], 'fleet_incident') : [];
    return readPage(query, {
      cursors: WAITING_CURSORS[order],
      find: (last, limit) => {
        if (kind && last && last.group !== kind) throw invalidCursor();
        const page = { kind, after: last && { ...last, kind: last.group }, limit };
        const groupedSince = incident?.raised_at;
        return open
          ? this.lists.findNeedingAttention({ ...page, groupedSince })
          : this.lists.findSnoozed(page);
      },
      positionOf: ({ _id, kind: group, raised_at, snoozed_until }) => ({
        id: _id,
        group,
        time: open ? raised_at : snoozed_until!,
      }),
      show: (alerts) => this.show(alerts),
    });
  }

  private async show(alerts: Alert[]): Promise<AlertDto[]> {
    const dead = await this.deliveries.countDead(alerts.map(({ _id }) => _id));
    return alerts.map((alert) => alertView(alert, dead));
  }
}
