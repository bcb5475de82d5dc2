import { BY_URGENCY } from '#domain';
import { type Alert, AlertListsRepository, AlertsRepository, DeliveriesRepository } from '#persistence';
import { Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { deliveryView } from '../deliveries/delivery-views.dto.js';
import { Cursors } from '../http/cursor.js';
import { toObjectId } from '../http/object-id.js';
import { cutPage, DEFAULT_LIMIT, type Page } from '../http/paging.js';
import type { AlertOrder, ListAlertsQuery } from './alert-requests.dto.js';
import { type AlertDetailDto, alertDetailView, type AlertDto, alertViews } from './alert-views.dto.js';

const CURSORS = new Cursors('alerts', { timed: true });
const WAITING = {
  needs_person: new Cursors('needs_person', { timed: true, groups: BY_URGENCY }),
  comes_back: new Cursors('comes_back', { timed: true, groups: BY_URGENCY }),
};

/** What staff see of alerts. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly lists: AlertListsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** @throws Problem 400 for a cursor of another list, or an order that does not go with a filter. */
  async list({ order, ...query }: ListAlertsQuery): Promise<Page<AlertDto>> {
    const { items, ...rest } = await (order ? this.findWaiting(order, query) : this.findNewest(query));
    const dead = await this.deliveries.countDead(items.map(({ _id }) => _id));
    return { items: alertViews(items, dead), ...rest };
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

  private async findNewest({
    state,
    kind,
    bottle_id,
    cursor,
    limit = DEFAULT_LIMIT,
  }: Omit<ListAlertsQuery, 'order'>): Promise<Page<Alert>> {
    const found = await this.lists.findPage({
      ...(state && { state }),
      ...(kind && { kind }),
      ...(bottle_id === undefined ? {} : { bottle_id: toObjectId(bottle_id, 'bottle_id') }),
      ...(cursor === undefined ? {} : { before: positionOf(CURSORS, cursor) }),
      limit: limit + 1,
    });
    return cutPage(
      found,
      limit,
      (alert) => alert,
      ({ _id, raised_at }) => CURSORS.encode({ id: _id.toHexString(), time: raised_at }),
    );
  }

  private async findWaiting(
    order: AlertOrder,
    { state, kind, bottle_id, cursor, limit = DEFAULT_LIMIT }: Omit<ListAlertsQuery, 'order'>,
  ): Promise<Page<Alert>> {
    if (state !== undefined || bottle_id !== undefined) {
      throw Problem.field(
        'order',
        'forbidden_field',
        'order goes with kind, and not with state and bottle_id',
      );
    }
    const cursors = WAITING[order];
    const page = {
      ...(kind && { kind }),
      ...(cursor === undefined ? {} : { after: positionOf(cursors, cursor) }),
      limit: limit + 1,
    };
    if (kind && page.after && page.after.kind !== kind) {
      throw Problem.field('cursor', 'invalid_cursor', 'cursor must be a next_cursor of this list');
    }
    const needs = order === 'needs_person';
    const found = await (needs ? this.lists.findNeedingPerson(page) : this.lists.findSnoozed(page));
    return cutPage(
      found,
      limit,
      (alert) => alert,
      (last) =>
        cursors.encode({
          id: last._id.toHexString(),
          group: last.kind,
          time: needs ? last.raised_at : last.snoozed_until!,
        }),
    );
  }
}

function positionOf(
  cursors: Cursors,
  cursor: string,
): { kind: Alert['kind']; time: Date; id: Types.ObjectId } {
  const { group, time, id } = cursors.decode(cursor);
  return { kind: group as Alert['kind'], time: time!, id: toObjectId(id, 'cursor') };
}
