import { alertKindFacts } from '#domain';
import { ACTIVE_STATES, type Alert, AlertsRepository } from '#persistence';
import { Clock, type LinkClaim, readLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AuditLog, itsBottle } from '../auth/audited.js';
import { SupportApiConfig } from '../config.js';

/** A page without scripts or styles: it works in the browser of any mail program. */
export interface Page {
  status: number;
  html: string;
}

/** What a recipient may do through the link of a notification: acknowledge that one alert. */
@Injectable()
export class LinksService {
  constructor(
    private readonly alerts: AlertsRepository,
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
    const { alert, claim } = found;
    const acknowledged = await this.alerts.acknowledge(alert._id, {
      by: claim.recipient,
      at: this.clock.now(),
    });
    if (acknowledged) await this.recordAction(acknowledged, claim);
    const current = acknowledged ?? (await this.alerts.findById(alert._id));
    return acknowledged || current?.state === 'acknowledged'
      ? page(
          200,
          'Thank you',
          'The alert is acknowledged. Everyone involved can see that you are taking care of it.',
        )
      : ended();
  }

  private recordAction({ _id, bottle_id }: Alert, { recipient }: LinkClaim): Promise<void> {
    return this.audit.record(
      { kind: 'link', id: recipient, name: recipient },
      {
        action: 'alert.acknowledge',
        subject: { kind: 'alert', id: _id.toHexString() },
        also: itsBottle({ bottle_id: bottle_id.toHexString() }),
      },
    );
  }

  private async find(token: string): Promise<{ alert: Alert; claim: LinkClaim } | Page> {
    const secret = this.config.LINK_SECRET;
    const claim = secret === undefined ? undefined : readLink(secret, token);
    if (!claim || claim.purpose !== 'acknowledge')
      return page(404, 'Invalid link', 'Open the link exactly as it appears in the message.');
    if (claim.expires_at <= this.clock.now())
      return page(410, 'This link has expired', 'Please contact support.');
    const alert = await this.alerts.findById(new Types.ObjectId(claim.alert_id));
    const canAcknowledge = alert && (ACTIVE_STATES.includes(alert.state) || alert.next_step_at);
    return canAcknowledge ? { alert, claim } : ended();
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
