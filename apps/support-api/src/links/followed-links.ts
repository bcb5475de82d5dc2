import { asksForDose, canBeAcknowledged, isOperator } from '#domain';
import {
  addressOver,
  type Alert,
  AlertsRepository,
  type Contact,
  type ContactDetails,
  contactDetailsOf,
  ContactsRepository,
  DeliveriesRepository,
  type Delivery,
} from '#persistence';
import { Clock, readLink, type SignedLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import { actedText } from './acted.js';
import { notice, type Page } from './page.js';
import { languageOf, Reader } from './reader.js';
import type { TextKey } from './texts/en.js';

/** What a valid link stands for. */
export interface Followed {
  token: string;
  alert: Alert;
  delivery: Delivery;
  reader: Reader;
  /** Absent for the operator. */
  to?: { contact: Contact; details: ContactDetails; address: string };
  /** It stops messages and does nothing else. */
  onlyStops?: true;
}

/** Reads the links in messages. */
@Injectable()
export class FollowedLinks {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly contacts: ContactsRepository,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /**
   * What the link in a message about an alert stands for; a page that says why it stands for nothing.
   *
   * @param accepted the `Accept-Language` header: for a recipient without a language
   */
  async ofAlert(token: string, accepted: string | undefined): Promise<Followed | Page> {
    const found = await this.ofMessage(token, accepted);
    if ('status' in found) return found;
    const { alert, reader, onlyStops } = found;
    if (onlyStops) return invalid(reader);
    return canBeAcknowledged(alert) || asksForDose(alert) ? found : this.ended(found);
  }

  /** As {@link ofAlert}, also when nothing can be done about the alert any more. */
  async ofMessage(token: string, accepted: string | undefined): Promise<Followed | Page> {
    const reader = new Reader(languageOf(accepted));
    const link = this.open(token, reader, 'not_acknowledged');
    if ('status' in link) return link;
    const delivery = await this.deliveries.findById(link.id);
    const alert = delivery && (await this.alerts.findById(delivery.alert_id));
    if (!alert) return ended(reader);
    if (isOperator(delivery)) return { token, alert, delivery, reader };
    const to = await this.recipientOf(link, delivery, alert);
    if (!to) return notice(reader, 403, 'revoked', ['revoked_text', 'not_acknowledged', 'contact_support']);
    const { language = reader.language, time_zone } = to.details;
    const { onlyStops } = link;
    return {
      token,
      alert,
      delivery,
      to,
      reader: new Reader(language, time_zone),
      ...(onlyStops && { onlyStops }),
    };
  }

  /** There is nothing to do any more; who has closed the alert, if somebody has. */
  ended(found: Followed): Page {
    const page = ended(found.reader);
    return { ...page, text: [...actedText(found, this.clock.now()), ...page.text] };
  }

  /**
   * Reads a link that we signed and that is still valid.
   *
   * @param undone what did not happen, for the page of an expired link
   * @returns the page to show instead if it is neither
   */
  open(token: string, reader: Reader, undone: TextKey): SignedLink | Page {
    const { LINK_SECRET } = this.config;
    const link = LINK_SECRET === undefined ? undefined : readLink(LINK_SECRET, token);
    if (!link) return invalid(reader);
    if (link.expires_at > this.clock.now()) return link;
    return notice(reader, 410, 'expired', [undone, 'contact_support']);
  }

  /** The recipient, if still one of the user's contacts, with the address to which the link was sent. */
  private async recipientOf(
    link: SignedLink,
    { recipient, channel }: Delivery,
    { user_id }: Alert,
  ): Promise<Followed['to']> {
    const contact = (await this.contacts.findByUser(user_id)) ?? undefined;
    const details = contactDetailsOf(recipient, contact);
    if (!contact || !details) return undefined;
    const address = addressOver(channel, details);
    return address !== undefined && link.wasSentTo(address) ? { contact, details, address } : undefined;
  }
}

/** A link that is not ours, or does not do what is asked. */
export function invalid(reader: Reader): Page {
  return notice(reader, 404, 'invalid', ['invalid_text']);
}

function ended(reader: Reader): Page {
  return notice(reader, 200, 'ended', ['ended_text']);
}

/** What was recorded before, or cannot be any more. */
export function used(reader: Reader): Page {
  return notice(reader, 409, 'used', ['used_text']);
}
