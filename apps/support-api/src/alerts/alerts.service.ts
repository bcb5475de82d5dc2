import { ACTIVE_STATES, type AlertKind, BY_URGENCY } from '#domain';
import {
  type Alert,
  AlertListsRepository,
  AlertsRepository,
  BottlesRepository,
  ContactsRepository,
  DeliveriesRepository,
  FLEET_ID,
  labelOf,
} from '#persistence';
import { Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { deliveryView } from '../deliveries/delivery.dto.js';
import { toObjectId } from '../http/ids.js';
import { type ByTime, Cursors, invalidCursor, type Page, readPage } from '../http/paging.js';
import { type AlertOrder, type ListAlertsQuery } from './alert-requests.dto.js';
import { alertDetailView, type AlertNames } from './alert-view.js';
import { AlertViews } from './alert-views.js';
import { type AlertDetailDto, type AlertDto, type ListedAlertDto } from './alert.dto.js';

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
    private readonly bottles: BottlesRepository,
    private readonly contacts: ContactsRepository,
    private readonly views: AlertViews,
  ) {}

  /** @throws Problem 400 for a cursor of another list, or an order that cannot be combined with a filter */
  async list({ order, ...query }: ListAlertsQuery, callerId: string): Promise<Page<ListedAlertDto>> {
    const { assigned, ...others } = query;
    if (assigned !== undefined && order !== 'needs_person')
      throw Problem.field('assigned', 'forbidden_field', 'assigned needs the order needs_person');
    if (!order) return this.listNewest(others);
    return this.listWaiting(order, others, {
      unassigned: assigned === 'nobody',
      ...(assigned === 'me' && { assignee: callerId }),
    });
  }

  /** @throws Problem 404 */
  async get(id: Types.ObjectId): Promise<AlertDetailDto> {
    const alert = await this.alerts.findById(id);
    if (!alert) throw Problem.notFound('alert');
    return this.detail(alert);
  }

  async detail(alert: Alert): Promise<AlertDetailDto> {
    const [deliveries, [contact], namesOf] = await Promise.all([
      this.deliveries.findByAlerts([alert._id]),
      this.contacts.findByUsers([alert.user_id]),
      this.findNames([alert]),
    ]);
    const shown = deliveries.map((delivery) => deliveryView(delivery, contact));
    return alertDetailView(alert, shown, namesOf(alert), contact);
  }

  private listNewest({ state, kind, bottle_id, ...query }: ListAlertsQuery): Promise<Page<ListedAlertDto>> {
    const bottle = bottle_id === undefined ? undefined : toObjectId(bottle_id, 'bottle_id');
    return readPage(query, {
      cursors: CURSORS,
      find: (before, limit) => this.lists.findPage({ state, kind, bottle_id: bottle, before, limit }),
      positionOf: ({ _id, raised_at }) => ({ id: _id, time: raised_at }),
      show: (alerts) => this.showListed(alerts),
    });
  }

  private async listWaiting(
    order: AlertOrder,
    { state, kind, bottle_id, ...query }: ListAlertsQuery,
    { assignee, unassigned }: { assignee?: string; unassigned: boolean },
  ): Promise<Page<ListedAlertDto>> {
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
        if (!open) return this.lists.findSnoozed(page);
        if (assignee !== undefined) return this.lists.findAssignedTo(assignee, page);
        return this.lists.findNeedingAttention({ ...page, groupedSince: incident?.raised_at, unassigned });
      },
      positionOf: ({ _id, kind: group, raised_at, snoozed_until }) => ({
        id: _id,
        group,
        time: open ? raised_at : snoozed_until!,
      }),
      show: (alerts) => this.showListed(alerts),
    });
  }

  /** The open and acknowledged alerts of these bottles, newest first. @param user_id only those of this owner */
  async listActive(
    bottleIds: Types.ObjectId[],
    { user_id, limit }: { user_id?: string; limit?: number },
  ): Promise<AlertDto[]> {
    const found = await this.alerts.findOpenAlarms(bottleIds);
    const active = found.filter(
      (alert) => ACTIVE_STATES.includes(alert.state) && (user_id === undefined || alert.user_id === user_id),
    );
    const newestFirst = active.toSorted((one, other) => other.raised_at.getTime() - one.raised_at.getTime());
    return this.views.show(newestFirst.slice(0, limit));
  }

  private async showListed(alerts: Alert[]): Promise<ListedAlertDto[]> {
    const [shown, namesOf] = await Promise.all([this.views.show(alerts), this.findNames(alerts)]);
    return shown.map((alert, index) => ({ ...alert, ...namesOf(alerts[index]!) }));
  }

  private async findNames(alerts: Alert[]): Promise<(alert: Alert) => AlertNames> {
    const [bottles, people] = await Promise.all([
      this.bottles.findDescriptions(alerts.map(({ bottle_id }) => bottle_id)),
      this.contacts.findNames(alerts.map(({ user_id }) => user_id)),
    ]);
    return (alert) => ({
      user_name: people.get(alert.user_id) ?? null,
      label: labelOf(alert, bottles) ?? null,
      time_zone: bottles.get(alert.bottle_id.toHexString())?.time_zone ?? null,
    });
  }
}
