import { alertKindFacts } from '#domain';
import { type Alert, AlertsRepository } from '#persistence';
import { Clock, type LinkClaim, readLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AuditLog } from '../audit/audit-log.js';
import { SupportApiConfig } from '../config.js';
import { page, type Page } from './page.js';

/** What a recipient may do by a link of a message: acknowledge that one alert. */
@Injectable()
export class LinksService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  async ask(token: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    return page(
      200,
      alertKindFacts(found.alert.kind).title,
      'Will you take care of it?',
      'Yes, I take care of it',
    );
  }

  async acknowledge(token: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    const { alert, claim } = found;
    const done = await this.alerts.acknowledge(alert._id, { by: claim.recipient, at: this.clock.now() });
    if (done) await this.writeDown(done, claim);
    const now = done ?? (await this.alerts.findById(alert._id));
    return now?.state === 'acknowledged'
      ? page(200, 'Thank you', 'Everyone concerned can see that you take care of it.')
      : over();
  }

  private writeDown({ _id, bottle_id }: Alert, { recipient }: LinkClaim): Promise<void> {
    return this.audit.record(
      { kind: 'link', id: recipient, name: recipient },
      {
        action: 'alert.acknowledge',
        subject: { kind: 'alert', id: _id.toHexString() },
        also: [{ kind: 'bottle', id: bottle_id.toHexString() }],
      },
    );
  }

  private async find(token: string): Promise<{ alert: Alert; claim: LinkClaim } | Page> {
    const secret = this.config.LINK_SECRET;
    const claim = secret === undefined ? undefined : readLink(secret, token);
    if (!claim || claim.purpose !== 'acknowledge')
      return page(404, 'This link is not valid', 'Please use the link as it was sent.');
    if (claim.expires_at <= this.clock.now())
      return page(410, 'This link has expired', 'Please contact support.');
    const alert = await this.alerts.findById(new Types.ObjectId(claim.alert_id));
    return alert?.open ? { alert, claim } : over();
  }
}

function over(): Page {
  return page(200, 'This is over', 'There is nothing to take care of any more.');
}
