import { type AlertEvent, type MessageNames, notificationEventFacts, userIn } from '#domain';
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
  isReadByPeople,
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
    const isChanged = alert !== undefined && hasChangedSince(delivery, alert);
    const preview = alert && !isChanged ? this.preview(delivery, alert, details, named) : undefined;
    return {
      ...deliveryView(delivery, contact),
      user_id: alert?.user_id ?? null,
      medication: alert?.medication ?? null,
      user_name: named.user_name ?? null,
      label: named.label ?? null,
      address: addressOf(delivery, details),
      title: preview?.title ?? null,
      text: preview?.text ?? null,
      text_changed: isChanged,
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
      const then = asOf(alert, composedAt(delivery));
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

/** When the text of a message was made: by the last attempt. */
const composedAt = ({ told_at, attempts, created_at }: Delivery): Date =>
  told_at ?? attempts.at(-1)?.at ?? created_at;

/** The steps of an alert that change its evidence. */
const CHANGES_EVIDENCE: ReadonlySet<AlertEvent['event']> = new Set([
  'cleared',
  'returned',
  'resolved',
  'retracted',
]);

/**
 * Whether the text of a message may be another one by now: its text is made of the alert's evidence, of which only the last
 * state is stored. What people read of an open alert is not concerned by its end.
 */
function hasChangedSince(delivery: Delivery, { history }: Alert): boolean {
  if (delivery.status === 'pending') return false;
  const at = composedAt(delivery);
  const { ends } = notificationEventFacts(delivery.event);
  const namesEnd = ends === 'resolved' || ends === 'retracted' || !isReadByPeople(delivery.channel);
  return history.some(
    (step) => step.at > at && (step.event === 'returned' || (namesEnd && CHANGES_EVIDENCE.has(step.event))),
  );
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
