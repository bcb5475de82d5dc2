import { isEntered, PushBrowsersRepository } from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import { FollowedLinks } from '../links/followed-links.js';
import type { Form } from '../links/form-body.js';
import { LinkAudit } from '../links/link-audit.js';
import { browserIn } from './browser.js';

/** What a recipient may do whose browser can show messages: add it. */
@Injectable()
export class PushService {
  constructor(
    private readonly links: FollowedLinks,
    private readonly browsers: PushBrowsersRepository,
    private readonly audit: LinkAudit,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /**
   * By the link of a message that went to an address of the person.
   *
   * @throws Problem 404 if the link is none, or stands for no person; 400 `invalid_browser`; 409 `too_many_browsers`
   */
  async addBrowser(token: string, form: Form, accepted: string | undefined): Promise<void> {
    const found = await this.links.ofMessage(token, accepted);
    if (this.config.PUSH_KEY === undefined || 'status' in found || !found.to || found.onlyStops)
      throw Problem.notFound('link');
    const { to, delivery } = found;
    if (!isEntered(delivery.channel)) throw Problem.notFound('link');
    const browser = browserIn(form, this.config.PUSH_ALLOW_PRIVATE);
    if (!browser) throw new Problem(400, 'invalid_browser', 'This is no subscription of a browser.');
    const { _id: userId } = to.contact;
    const added = { ...browser, since: this.clock.now(), via: to.address };
    const outcome = await this.browsers.add(userId, delivery.recipient, added);
    if (outcome === 'no_person') throw Problem.notFound('link');
    if (outcome === 'full')
      throw new Problem(409, 'too_many_browsers', 'The person has five browsers already.');
    await this.audit.recordOfContact(userId, delivery.recipient, 'contact.add_browser');
  }
}
