import {
  DAY_MS,
  DEFAULT_ESCALATION,
  type EscalationTarget,
  isCanaryUser,
  receiverFor,
  recipientOf,
} from '#domain';
import {
  ADDRESS_CHANNELS,
  addresseesOf,
  type Contact,
  type ContactDetails,
  CoverageRepository,
  DeliveriesRepository,
  BottleStatesRepository,
  storedAddress,
  unverifiedAddresses,
  verifiedField,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { type ContactDto, contactView, type ReachabilityDto } from './contact.dto.js';

/** Whether the mail server refuses an address is read from so many of the user's bottles, ... */
const MOST_BOTTLES = 20;
/** ... and from what was sent in this time. Milliseconds. */
const REFUSED_SINCE_MS = 30 * DAY_MS;
const PERMANENT = 500;

/** Whom messages of a contact reach at the moment, as the notifiers' channels are, and who gets them instead. */
@Injectable()
export class Reachability {
  constructor(
    private readonly coverage: CoverageRepository,
    private readonly states: BottleStatesRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  /** The contact as responses have it. */
  async show(contact: Contact): Promise<ContactDto> {
    const [notifiers, bottles] = await Promise.all([
      this.coverage.findNotifiersChannels(this.clock.now()),
      this.states.findIdsOfUser(contact._id, MOST_BOTTLES),
    ]);
    const reachabilityOf = (to: EscalationTarget) => this.reachabilityOf(to, contact, notifiers, bottles);
    const [user, carer] = await Promise.all([
      reachabilityOf('user'),
      contact.carer && reachabilityOf('carer'),
    ]);
    const hasNoBottles = bottles.length === 0 && !isCanaryUser(contact._id);
    return contactView(contact, { user, ...(carer && { carer }) }, hasNoBottles ? [NO_BOTTLES] : []);
  }

  /** One who is not reached by every notifier that runs is not reached: any of them may send. */
  private async reachabilityOf(
    to: EscalationTarget,
    contact: Contact,
    notifiers: readonly string[][],
    bottles: Types.ObjectId[],
  ): Promise<ReachabilityDto> {
    const details = to === 'user' ? contact : contact.carer!;
    if (notifiers.length === 0) return { reachable: false, unreachable_reason: 'no_notifier' };
    for (const channels of notifiers) {
      const receiver = receiverFor(
        to,
        contact.escalation ?? DEFAULT_ESCALATION,
        addresseesOf(contact, channels),
      );
      if (receiver !== to)
        return {
          reachable: false,
          unreachable_reason: reasonOf(details),
          ...(receiver && { messages_go_to: receiver }),
        };
    }
    if (await this.isRefused(to, details, contact, bottles))
      return { reachable: false, unreachable_reason: 'email_refused' };
    return { reachable: true };
  }

  /** Whether the mail server refused the last message to the only address for good. Nobody is sent it instead. */
  private async isRefused(
    to: EscalationTarget,
    details: ContactDetails,
    contact: Contact,
    bottles: Types.ObjectId[],
  ): Promise<boolean> {
    if (details.webhook === true) return false;
    for (const channel of ADDRESS_CHANNELS) {
      const lately = this.clock.now().getTime() - REFUSED_SINCE_MS;
      const since = new Date(Math.max(lately, details[verifiedField(channel)]?.getTime() ?? 0));
      const address = { recipient: recipientOf(to, contact._id), channel };
      const last = await this.deliveries.findNewestAttempted(bottles, address, since);
      if (last?.status !== 'dead' || (last.attempts.at(-1)?.status ?? 0) < PERMANENT) return false;
    }
    return true;
  }
}

const NO_BOTTLES = {
  code: 'no_bottles' as const,
  text: 'No bottle has this user_id: there will be nothing to send. Check how it is written.',
};

/** Why a person is not reached over the channels that are set up. */
function reasonOf(details: ContactDetails): ReachabilityDto['unreachable_reason'] {
  const addresses = ADDRESS_CHANNELS.filter((channel) => storedAddress(channel, details) !== undefined);
  if (addresses.length === 0) return 'no_address';
  return unverifiedAddresses(details).length === addresses.length ? 'email_unverified' : 'email_not_set_up';
}
