import { alertKindFacts } from '#domain';
import {
  ACTIVE_STATES,
  addressOver,
  type Alert,
  AlertsRepository,
  contactDetailsOf,
  ContactsRepository,
  DeliveriesRepository,
  type Delivery,
} from '#persistence';
import { Clock, readLink, type SignedLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../auth/audit-log.js';
import { itsBottle } from '../auth/audited.js';
import { SupportApiConfig } from '../config.js';

/** A page without scripts or styles: it works in the browser of any mail program. */
export interface Page {
  status: number;
  html: string;
}

const NOT_ACKNOWLEDGED = 'The alert was not acknowledged.';

/** What a recipient may do through the link of a notification: acknowledge that one alert. */
@Injectable()
export class LinksService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly contacts: ContactsRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** The page with the button. */
  async ask(token: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    const { kind } = found.alert;
    const text = 'Are you taking care of it? If you confirm, reminders stop.';
    return page(200, alertKindFacts(kind).title, text, 'I am taking care of it');
  }

  async acknowledge(token: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    const { alert, recipient } = found;
    const acknowledged = await this.alerts.acknowledge(alert._id, { by: recipient, at: this.clock.now() });
    if (acknowledged) await this.recordAction(acknowledged, recipient);
    const current = acknowledged ?? (await this.alerts.findById(alert._id));
    return acknowledged || current?.state === 'acknowledged'
      ? page(
          200,
          'Thank you',
          'The alert is acknowledged. Everyone involved can see that you are taking care of it.',
        )
      : ended();
  }

  private recordAction({ _id, bottle_id }: Alert, recipient: string): Promise<void> {
    return this.audit.record(
      { kind: 'link', id: recipient, name: recipient },
      {
        action: 'alert.acknowledge',
        subject: { kind: 'alert', id: _id.toHexString() },
        also: itsBottle({ bottle_id: bottle_id.toHexString() }),
      },
    );
  }

  private async find(token: string): Promise<{ alert: Alert; recipient: string } | Page> {
    const secret = this.config.LINK_SECRET;
    const link = secret === undefined ? undefined : readLink(secret, token);
    if (!link) return page(404, 'Invalid link', 'Open the link exactly as it appears in the message.');
    if (link.expires_at <= this.clock.now())
      return page(410, 'This link has expired', `${NOT_ACKNOWLEDGED} Please contact support.`);
    const delivery = await this.deliveries.findById(link.delivery_id);
    const alert = delivery && (await this.alerts.findById(delivery.alert_id));
    if (!alert || !(ACTIVE_STATES.includes(alert.state) || alert.next_step_at)) return ended();
    if (await this.reachesRecipient(link, delivery, alert)) return { alert, recipient: delivery.recipient };
    const changed = 'The contact that it was sent to was removed or has another address now.';
    return page(
      403,
      'This link is no longer valid',
      `${changed} ${NOT_ACKNOWLEDGED} Please contact support.`,
    );
  }

  /** Whether the recipient is still one of the user's contacts, with the address to which the link was sent. */
  private async reachesRecipient(
    link: SignedLink,
    { recipient, channel }: Delivery,
    { user_id }: Alert,
  ): Promise<boolean> {
    if (recipient === 'operator') return true;
    const details = contactDetailsOf(recipient, (await this.contacts.findByUser(user_id)) ?? undefined);
    const address = details && addressOver(channel, details);
    return address !== undefined && link.wasSentTo(address);
  }
}

function ended(): Page {
  return page(200, 'This alert has ended', 'You do not need to do anything.');
}

/** @param button shows a form that posts to the page's own address. */
function page(status: number, title: string, text: string, button?: string): Page {
  const form =
    button === undefined ? '' : `<form method="post"><button type="submit">${button}</button></form>`;
  return {
    status,
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
      `<title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p>${form}</main></body></html>`,
  };
}
