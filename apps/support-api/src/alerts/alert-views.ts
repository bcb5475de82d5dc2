import { personIn } from '#domain';
import { type Alert, type Contact, ContactsRepository, DeliveriesRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { acknowledgedIn, alertView } from './alert-view.js';
import type { AlertDto } from './alert.dto.js';

/** Alerts as lists and pages show them, with what other collections have about them. */
@Injectable()
export class AlertViews {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly contacts: ContactsRepository,
  ) {}

  async show(alerts: readonly Alert[]): Promise<AlertDto[]> {
    const [dead, contacts] = await Promise.all([
      this.deliveries.countDead(alerts.map(({ _id }) => _id)),
      this.findAcknowledgers(alerts),
    ]);
    return alerts.map((alert) =>
      alertView(
        alert,
        dead,
        contacts.find(({ _id }) => _id === alert.user_id),
      ),
    );
  }

  private async findAcknowledgers(alerts: readonly Alert[]): Promise<Contact[]> {
    const byPeople = alerts.filter((alert) => personIn(acknowledgedIn(alert)?.by ?? '') !== undefined);
    return byPeople.length === 0 ? [] : this.contacts.findByUsers(byPeople.map(({ user_id }) => user_id));
  }
}
