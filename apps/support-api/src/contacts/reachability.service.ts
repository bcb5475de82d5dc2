import { DEFAULT_ESCALATION, type EscalationTarget, isCanaryUser, receiverFor } from '#domain';
import {
  ADDRESS_CHANNELS,
  addresseesOf,
  addressOver,
  type Contact,
  type ContactDetails,
  CoverageRepository,
  BottleStatesRepository,
  isEntered,
  isPaused,
  storedAddress,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { type ContactDto, contactView, type ReachabilityDto } from './contact.dto.js';

/** Whom messages of a contact reach at the moment, as the notifiers' channels are, and who gets them instead. */
@Injectable()
export class Reachability {
  constructor(
    private readonly coverage: CoverageRepository,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /** The contact as responses have it. */
  async show(contact: Contact): Promise<ContactDto> {
    const now = this.clock.now();
    const [notifiers, bottles] = await Promise.all([
      this.coverage.findNotifiersChannels(now),
      this.states.findIdsOfUser(contact._id, 1),
    ]);
    const user = reachabilityOf('user', contact, notifiers, now);
    const carer = contact.carer && reachabilityOf('carer', contact, notifiers, now);
    const hasNoBottles = bottles.length === 0 && !isCanaryUser(contact._id);
    return contactView(contact, { user, ...(carer && { carer }) }, hasNoBottles ? [NO_BOTTLES] : []);
  }
}

/** One who is not reached by every notifier that runs is not reached: any of them may send. */
function reachabilityOf(
  to: EscalationTarget,
  contact: Contact,
  notifiers: readonly string[][],
  now: Date,
): ReachabilityDto {
  const details = to === 'user' ? contact : contact.carer!;
  if (notifiers.length === 0) return { reachable: false, unreachable_reason: 'no_notifier' };
  const plan = contact.escalation ?? DEFAULT_ESCALATION;
  for (const channels of notifiers) {
    const receiver = receiverFor(to, plan, addresseesOf(contact, channels, now));
    if (receiver !== to)
      return {
        reachable: false,
        unreachable_reason: reasonOf(details, channels),
        ...(receiver && { messages_go_to: receiver }),
      };
  }
  return { reachable: true };
}

const NO_BOTTLES = {
  code: 'no_bottles' as const,
  text: 'No bottle has this user_id: there will be nothing to send. Check how it is written.',
};

/** Why a person is not reached over the channels that are set up: of several addresses, about the one that is nearest to it. */
function reasonOf(
  details: ContactDetails,
  channels: readonly string[],
): NonNullable<ReachabilityDto['unreachable_reason']> {
  const isSetUp = (channel: string): boolean => channels.includes(channel);
  const addresses = ADDRESS_CHANNELS.filter((channel) => storedAddress(channel, details) !== undefined);
  if (details.webhook && isSetUp('webhook')) return 'webhook_refused';
  const verified = addresses.filter((channel) => addressOver(channel, details) !== undefined);
  if (isSetUp('sms') && verified.includes('sms') && isPaused('sms', details)) return 'sms_paused';
  const refused = verified.find(isSetUp);
  if (refused) return `${refused}_refused`;
  if (verified[0]) return `${verified[0]}_not_set_up`;
  const unverified = addresses.find(isEntered);
  return unverified ? `${unverified}_unverified` : 'no_address';
}
