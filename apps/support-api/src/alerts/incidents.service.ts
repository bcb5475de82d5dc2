import { ALERTING_EVENTS, alertKindFacts, silentSince } from '#domain';
import {
  type Alert,
  AlertListsRepository,
  AlertsRepository,
  type BottleDescription,
  BottlesRepository,
  contactDetailsOf,
  ContactsRepository,
  DeliveriesRepository,
  type Delivery,
  isDamaged,
  labelOf,
  namesOf,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { SupportApiConfig } from '../config.js';
import type { IncidentDto, IncidentShareDto } from './incident.dto.js';
import { type MessagePreviewDto, previewOf } from './message-preview.js';

/** More bottles than this are not counted. */
const MAX_BOTTLES = 5_000;
const MAX_SHOWN = 50;
const MAX_PREVIEWS = 10;

/** What a fleet incident affects and what it holds. */
@Injectable()
export class IncidentsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly lists: AlertListsRepository,
    private readonly bottles: BottlesRepository,
    private readonly contacts: ContactsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly config: SupportApiConfig,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 404; 409 `not_an_incident` */
  async get(id: Types.ObjectId): Promise<IncidentDto> {
    const incident = await this.alerts.findById(id);
    if (!incident) throw Problem.notFound('alert');
    if (!alertKindFacts(incident.kind).aboutFleet)
      throw new Problem(409, 'not_an_incident', `This alert is ${incident.kind}.`);
    const counted_at = this.clock.now();
    const silences = await this.lists.findOfIncident(incident, MAX_BOTTLES);
    const [bottles, deliveries] = await Promise.all([
      this.bottles.findDescriptions(silences.map(({ bottle_id }) => bottle_id)),
      this.deliveries.findByAlerts(silences.map(({ _id }) => _id)),
    ]);
    const bottleOf = ({ bottle_id }: Alert): BottleDescription | undefined =>
      bottles.get(bottle_id.toHexString());
    const starting = deliveries.filter(({ event }) => ALERTING_EVENTS.includes(event));
    const held = starting.filter(({ status }) => status === 'pending');
    const shown = silences.slice(0, MAX_SHOWN);
    const names = await this.contacts.findNames(shown.map(({ user_id }) => user_id));
    return {
      counted_at,
      began_at: beginningOf(incident, silences),
      bottles: silences.length,
      still_silent: silences.filter(({ open }) => open).length,
      truncated: silences.length === MAX_BOTTLES,
      time_zones: sharesOf(silences.map((alert) => bottleOf(alert)?.time_zone ?? 'unknown')),
      medications: sharesOf(silences.map(({ medication }) => medication)),
      held_messages: held.length,
      held_people: new Set(held.map(({ recipient }) => recipient)).size,
      sent_messages: starting.filter(({ status }) => status === 'delivered').length,
      previews: await this.previewsOf(held.slice(0, MAX_PREVIEWS), silences),
      affected: shown.map((alert) => ({
        alert_id: alert._id.toHexString(),
        bottle_id: alert.bottle_id.toHexString(),
        user_id: alert.user_id,
        medication: alert.medication,
        user_name: names.get(alert.user_id) ?? null,
        label: labelOf(alert, bottles) ?? null,
        time_zone: bottleOf(alert)?.time_zone ?? null,
        last_heard_at: lastSeen(alert) ?? null,
      })),
    };
  }

  private async previewsOf(
    held: readonly Delivery[],
    silences: readonly Alert[],
  ): Promise<MessagePreviewDto[]> {
    const alertOf = new Map(silences.map((alert) => [alert._id.toHexString(), alert]));
    const users = held.map(({ alert_id }) => alertOf.get(alert_id.toHexString())!.user_id);
    const [contacts, bottles] = await Promise.all([
      this.contacts.findByUsers([...new Set(users)]),
      this.bottles.findDescriptions(held.map(({ bottle_id }) => bottle_id)),
    ]);
    const contactOf = new Map(contacts.map((contact) => [contact._id, contact]));
    return held.map((delivery) => {
      const alert = alertOf.get(delivery.alert_id.toHexString())!;
      const contact = contactOf.get(alert.user_id);
      const details = contactDetailsOf(delivery.recipient, contact);
      return previewOf(delivery, alert, details, this.config, namesOf(alert, bottles, contact?.name));
    });
  }
}

const lastSeen = (alert: Alert): Date | undefined => (isDamaged(alert) ? undefined : silentSince(alert));

function beginningOf({ raised_at }: Alert, silences: readonly Alert[]): Date {
  const times = silences.map((alert) => (lastSeen(alert) ?? raised_at).getTime());
  return new Date(Math.min(raised_at.getTime(), ...times));
}

function sharesOf(names: readonly string[]): IncidentShareDto[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, bottles]) => ({ name, bottles }))
    .sort((one, other) => other.bottles - one.bottles || one.name.localeCompare(other.name));
}
