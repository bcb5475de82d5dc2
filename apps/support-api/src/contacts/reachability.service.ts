import {
  type Address,
  addressesOf,
  type AlertKind,
  alertingSteps,
  DEFAULT_ESCALATION,
  delay,
  isCanaryUser,
  isEndpointChannel,
  isOperator,
  OPERATOR,
  type Person,
  personIn,
  type PersonStep,
  quietUntil,
  receiverFor,
  recipientOf,
  stepsFor,
  WEBHOOK,
} from '#domain';
import {
  ADDRESS_CHANNELS,
  addresseesOf,
  addressOver,
  type Contact,
  type ContactDetails,
  contactDetailsOf,
  CoverageRepository,
  BottleStatesRepository,
  endpointsOf,
  isEntered,
  isPaused,
  policyOf,
  setUpChannels,
  type SetUpChannels,
  storedAddress,
  WebhookEndpointsRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import type { ContactDto } from './contact.dto.js';
import type { ReachabilityDto } from './contact-details.dto.js';
import { contactView } from './contact-view.js';
import type { NotifiedPlanDto, NotifiedStepDto } from './notified-plan.dto.js';

/** Whom messages of a contact reach at the moment, as the notifiers' channels are, and who gets them instead. */
@Injectable()
export class Reachability {
  constructor(
    private readonly coverage: CoverageRepository,
    private readonly states: BottleStatesRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly clock: Clock,
  ) {}

  /** The contact as responses have it. */
  async show(contact: Contact): Promise<ContactDto> {
    const now = this.clock.now();
    const [notifiers, bottles] = await Promise.all([
      this.notifiersChannels(now),
      this.states.findIdsOfUser(contact._id, 1),
    ]);
    const hasNoBottles = bottles.length === 0 && !isCanaryUser(contact._id);
    return contactView(
      contact,
      (person) => reachabilityOf(person, contact, notifiers, now),
      hasNoBottles ? [NO_BOTTLES] : [],
    );
  }

  /**
   * Whom the steps of a contact's plan reach at the moment.
   *
   * @param lateAt of a dose: when each step would be sent if it is late then
   */
  async plan(contact: Contact, lateAt?: Date): Promise<NotifiedPlanDto> {
    const now = this.clock.now();
    const notifiers = await this.notifiersChannels(now);
    const escalation = policyOf(contact) ?? [];
    // as when an alert is raised
    const plan = [...escalation, ...(alertingSteps(escalation).length > 0 ? [] : DEFAULT_ESCALATION)];
    return {
      steps: plan.map((step) => {
        const reached = notifiedStep(step, plan, contact, notifiers, now);
        return { ...reached, at: (lateAt && sentAt(step, reached, contact, lateAt)) ?? null };
      }),
    };
  }

  /** The channels over which messages go, of each notifier that runs. */
  private async notifiersChannels(now: Date): Promise<SetUpChannels[]> {
    const [channels, endpoints] = await Promise.all([
      this.coverage.findNotifiersChannels(now),
      this.endpoints.findCurrent(),
    ]);
    return channels.map((own) => setUpChannels(own, endpointsOf(endpoints, own.includes(WEBHOOK))));
  }
}

/** One step of a plan, as it would be sent at this moment: by the rule by which the notifier finds its addresses. */
function notifiedStep(
  { after, remind, to, repeat, kinds = [] }: PersonStep,
  plan: readonly PersonStep[],
  contact: Contact,
  notifiers: readonly SetUpChannels[],
  now: Date,
): Omit<NotifiedStepDto, 'at'> {
  const named = contactDetailsOf(recipientOf(to, contact._id), contact);
  // by the notifier that reaches the fewest: any of them may send
  const reached = notifiers.map((channels) => addressesOf(to, plan, addresseesOf(contact, channels, now)));
  const isTo = (addresses: Address[]): boolean => addresses[0]?.recipient === recipientOf(to, contact._id);
  const rank = (each: Address[]): number => (each[0] && isOperator(each[0]) ? 2 : isTo(each) ? 0 : 1);
  const [found = []] = [...reached].sort((one, other) => rank(other) - rank(one));
  // a reminder goes to nobody else
  const addresses = remind === undefined || isTo(found) ? found : [];
  const [first] = addresses;
  const details = first && contactDetailsOf(first.recipient, contact);
  const reason =
    named && first && isTo(addresses)
      ? undefined
      : ((named && reachabilityOf(to, contact, notifiers, now).unreachable_reason) ?? 'no_address');
  return {
    after: after ?? null,
    remind: remind ?? null,
    repeat: repeat ?? null,
    kinds: kinds as AlertKind[],
    to,
    named: named?.name ?? null,
    goes_to: first ? (personIn(first.recipient) ?? OPERATOR) : null,
    name: details?.name ?? null,
    addresses: addresses.map(({ channel }) => ({
      channel,
      address: (details && storedAddress(channel, details)) ?? null,
    })),
    reason: reason ?? null,
  };
}

/** When a step is sent of a dose that is late then, after the quiet hours of who gets it; undefined if it is for no such dose. */
function sentAt(
  step: PersonStep,
  { goes_to: person }: Pick<NotifiedStepDto, 'goes_to'>,
  contact: Contact,
  lateAt: Date,
): Date | undefined {
  if (stepsFor([step], 'missed_dose').length === 0) return undefined;
  const at = new Date(lateAt.getTime() + delay(step));
  const details = person === null ? undefined : contactDetailsOf(recipientOf(person, contact._id), contact);
  return (details?.quiet_hours && quietUntil(details.quiet_hours, details.time_zone, at)) ?? at;
}

/** One who is not reached by every notifier that runs is not reached: any of them may send. */
function reachabilityOf(
  to: Person,
  contact: Contact,
  notifiers: readonly SetUpChannels[],
  now: Date,
): ReachabilityDto {
  const details = contactDetailsOf(recipientOf(to, contact._id), contact)!;
  if (notifiers.length === 0) return { reachable: false, unreachable_reason: 'no_notifier' };
  const plan = policyOf(contact) ?? DEFAULT_ESCALATION;
  for (const channels of notifiers) {
    const receiver = receiverFor(to, plan, addresseesOf(contact, channels, now));
    if (receiver !== to)
      return {
        reachable: false,
        unreachable_reason: reasonOf(details, channels.people),
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
  if (details.webhook && channels.some(isEndpointChannel)) return 'webhook_refused';
  const verified = addresses.filter((channel) => addressOver(channel, details) !== undefined);
  if (isSetUp('sms') && verified.includes('sms') && isPaused('sms', details)) return 'sms_paused';
  const refused = verified.find(isSetUp);
  if (refused) return `${refused}_refused`;
  if (verified[0]) return `${verified[0]}_not_set_up`;
  const unverified = addresses.find(isEntered);
  if (unverified) return `${unverified}_unverified`;
  return details.webhook ? 'webhook_not_taken' : 'no_address';
}
