import { type MessageNames, userIn } from '#domain';
import {
  type Alert,
  AlertsRepository,
  BottlesRepository,
  type Contact,
  type ContactDetails,
  contactDetailsOf,
  ContactsRepository,
  type Delivery,
  isEntered,
  namesOf,
  storedAddress,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { type MessagePreviewDto, previewOf } from '../alerts/message-preview.js';
import { SupportApiConfig } from '../config.js';
import { deliveryView, type MessageDto } from './delivery.dto.js';

/** Notifications with their texts. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly contacts: ContactsRepository,
    private readonly bottles: BottlesRepository,
    private readonly config: SupportApiConfig,
  ) {}

  async show(deliveries: Delivery[]): Promise<MessageDto[]> {
    const ids = new Map(deliveries.map(({ alert_id }) => [alert_id.toHexString(), alert_id]));
    const users = new Set(deliveries.flatMap(({ recipient }) => userIn(recipient) ?? []));
    const [alerts, contacts, bottles] = await Promise.all([
      this.alerts.findByIds([...ids.values()]),
      this.contacts.findByUsers([...users]),
      this.bottles.findDescriptions(deliveries.map(({ bottle_id }) => bottle_id)),
    ]);
    const alertOf = new Map(alerts.map((alert) => [alert._id.toHexString(), alert]));
    const contactOf = new Map(contacts.map((contact) => [contact._id, contact]));
    const names = await this.contacts.findNames(alerts.map(({ user_id }) => user_id));
    return deliveries.map((delivery) => {
      const alert = alertOf.get(delivery.alert_id.toHexString());
      const contact = contactOf.get(userIn(delivery.recipient) ?? '');
      const named = alert && namesOf(alert, bottles, names.get(alert.user_id));
      return this.view(delivery, alert, contact, named);
    });
  }

  private view(
    delivery: Delivery,
    alert: Alert | undefined,
    contact: Contact | undefined,
    named: MessageNames = {},
  ): MessageDto {
    const details = contactDetailsOf(delivery.recipient, contact);
    const preview = alert && this.preview(delivery, alert, details, named);
    return {
      ...deliveryView(delivery),
      user_id: alert?.user_id ?? null,
      medication: alert?.medication ?? null,
      user_name: named.user_name ?? null,
      label: named.label ?? null,
      address: addressOf(delivery, details),
      title: preview?.title ?? null,
      text: preview?.text ?? null,
    };
  }

  /** Undefined for an alert that cannot be read: it must not hide the others of a list. */
  private preview(
    delivery: Delivery,
    alert: Alert,
    details: ContactDetails | undefined,
    named: MessageNames,
  ): MessagePreviewDto | undefined {
    try {
      const then = asOf(alert, delivery.told_at ?? delivery.created_at);
      return previewOf(delivery, then, details, this.config, named);
    } catch {
      return undefined;
    }
  }
}

/** Where its last attempt went, or before the first one where it will go; null if that is not known, or not to an address. */
function addressOf(
  { channel, attempts, status }: Delivery,
  details: ContactDetails | undefined,
): string | null {
  if (!isEntered(channel)) return null;
  const last = attempts.at(-1);
  if (last || status !== 'pending') return last?.address ?? null;
  return (details && storedAddress(channel, details)) || null;
}

/** The alert without what came after the message. */
function asOf(alert: Alert, at: Date): Alert {
  const { ended_at, closing, ...rest } = alert;
  const ended = ended_at && ended_at <= at;
  return {
    ...rest,
    ...(ended && { ended_at }),
    ...(closing && closing.at <= at && { closing }),
    state: ended || (closing && closing.at <= at) ? alert.state : 'open',
  };
}
