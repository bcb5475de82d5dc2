import { asksForDose, canBeAcknowledged, isOperator, isRetractedByPillbox, type Language } from '#domain';
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
  storedAddress,
} from '#persistence';
import { Clock, readLink, type SignedLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import { actedText } from './acted.js';
import { link, notice, type Page } from './page.js';
import { languageOf } from '../http/language.js';
import { Reader } from './reader.js';
import type { TextKey } from './texts/en.js';

/** What a valid link stands for. */
export interface Followed {
  /** Empty of a message that was answered without its link. */
  token: string;
  alert: Alert;
  delivery: Delivery;
  reader: Reader;
  /** Absent for the operator. */
  to?: {
    contact: Contact;
    details: ContactDetails;
    address: string;
    /** Nothing goes there: the recipient has stopped it. */
    isStopped?: true;
  };
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
    const isAsked = canBeAcknowledged(alert) || asksForDose(alert) || isRetractedByPillbox(alert);
    return isAsked ? found : this.ended(found);
  }

  /** As {@link ofAlert}, also when nothing can be done about the alert any more. */
  async ofMessage(token: string, accepted: string | undefined): Promise<Followed | Page> {
    const found = await this.ofAddress(token, accepted);
    if ('status' in found || !found.to?.isStopped) return found;
    return notice(found.reader, 403, 'stopped', ['stopped_text', 'stopped_link']);
  }

  /** As {@link ofMessage}, also when its recipient has stopped the messages to the address. */
  async ofAddress(token: string, accepted: string | undefined): Promise<Followed | Page> {
    const reader = new Reader(languageOf(accepted));
    const signed = this.open(token, reader, 'not_acknowledged');
    if ('status' in signed) return signed;
    const delivery = await this.deliveries.findById(signed.id);
    const alert = delivery && (await this.alerts.findById(delivery.alert_id));
    if (!alert) return ended(reader);
    if (isOperator(delivery)) return { token, alert, delivery, reader };
    const to = await this.recipientOf(delivery, alert, (address) => signed.wasSentTo(address));
    if (!to) return notice(reader, 403, 'revoked', ['revoked_text', 'not_acknowledged', 'contact_support']);
    const { onlyStops } = signed;
    const followed = { token, alert, delivery, to, reader: readerOf(to.details, reader.language) };
    return { ...followed, ...(onlyStops && { onlyStops }) };
  }

  /** What an SMS is about that is answered from its number; undefined if that is no longer the recipient's. */
  async ofSms(delivery: Delivery, number: string): Promise<Followed | undefined> {
    const alert = await this.alerts.findById(delivery.alert_id);
    const to = alert && (await this.recipientOf(delivery, alert, (address) => address === number));
    return to && !to.isStopped
      ? { token: '', alert, delivery, to, reader: readerOf(to.details, 'en') }
      : undefined;
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
    const signed = LINK_SECRET === undefined ? undefined : readLink(LINK_SECRET, token);
    if (!signed) return invalid(reader);
    if (signed.expires_at > this.clock.now()) return signed;
    return notice(reader, 410, 'expired', [undone, 'contact_support']);
  }

  /** The recipient, if still one of the user's contacts, with the address to which the message was sent. */
  private async recipientOf(
    { recipient, channel }: Delivery,
    { user_id }: Alert,
    wasSentTo: (address: string) => boolean,
  ): Promise<Followed['to']> {
    const contact = (await this.contacts.findByUser(user_id)) ?? undefined;
    const details = contactDetailsOf(recipient, contact);
    if (!contact || !details) return undefined;
    const address = addressOver(channel, details);
    if (address !== undefined && wasSentTo(address)) return { contact, details, address };
    const stored = storedAddress(channel, details);
    if (stored === undefined || !wasSentTo(stored)) return undefined;
    return { contact, details, address: stored, isStopped: true };
  }
}

/** In the recipient's language, or else in this one. */
export function readerOf({ language, time_zone }: ContactDetails, otherwise: Language): Reader {
  return new Reader(language ?? otherwise, time_zone);
}

/** A link that is not ours, or does not do what is asked. */
export function invalid(reader: Reader): Page {
  return notice(reader, 404, 'invalid', ['invalid_text']);
}

function ended(reader: Reader): Page {
  return notice(reader, 200, 'ended', ['ended_text']);
}

/** What was recorded before, or cannot be any more; its page says what still can. */
export function used({ reader, token }: Pick<Followed, 'reader' | 'token'>): Page {
  return notice(reader, 409, 'used', ['used_text'], [link(reader.say('back'), `../${token}`)]);
}

/**
 * The page of the message, for who asks for the address of one of its buttons: an answer that was given already is not
 * given again.
 */
export function asItStands({ reader, token }: Pick<Followed, 'reader' | 'token'>): Page {
  return { ...notice(reader, 303, 'used', ['used_text']), location: `../${encodeURIComponent(token)}` };
}
