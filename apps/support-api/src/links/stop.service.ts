import { ContactsRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { WaitingMessages } from '../contacts/waiting-messages.js';
import { type Followed, FollowedLinks, invalid } from './followed-links.js';
import { LinkAudit } from './link-audit.js';
import { button, notice, type Page } from './page.js';

/** A link that was sent to an address. */
type Addressed = Followed & Required<Pick<Followed, 'to'>>;

/** What a recipient may do whom messages should not reach: stop those to the address to which the link was sent. */
@Injectable()
export class StopService {
  constructor(
    private readonly links: FollowedLinks,
    private readonly contacts: ContactsRepository,
    private readonly audit: LinkAudit,
    private readonly waiting: WaitingMessages,
    private readonly clock: Clock,
  ) {}

  /** The page with the button. */
  async ask(token: string, accepted: string | undefined): Promise<Page> {
    const found = await this.find(token, accepted);
    if ('status' in found) return found;
    const { reader, to } = found;
    if (to.isStopped) return notice(reader, 200, 'stopped', ['stopped_text']);
    return notice(reader, 200, 'stop', ['stop_text'], [button(reader.say('stop_button'), '', true)]);
  }

  /** What is owed goes to the next person of the plan (ESC-10). */
  async stop(token: string, accepted: string | undefined): Promise<Page> {
    const found = await this.find(token, accepted);
    if ('status' in found) return found;
    const { reader, to, delivery } = found;
    const { _id: userId } = to.contact;
    if (await this.contacts.stopAddress(userId, to.address, this.clock.now())) {
      await this.audit.recordOfContact(userId, delivery.recipient, 'contact.stop');
      await this.waiting.sendAgain(userId);
    }
    return notice(reader, 200, 'stopped', ['stopped_text']);
  }

  /** The operator's webhook has no address at which a person could be the wrong one. */
  private async find(token: string, accepted: string | undefined): Promise<Addressed | Page> {
    const found = await this.links.ofAddress(token, accepted);
    if ('status' in found) return found;
    const { to } = found;
    return to && to.address !== '' ? { ...found, to } : invalid(found.reader);
  }
}
