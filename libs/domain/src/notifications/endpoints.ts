import { type AlertKind, alertKindFacts } from '../alerts/alert-kinds.js';
import type { Id } from '../bottle-state/bottle-state.js';
import { DAY_MS, MINUTE_MS } from '../time/durations.js';
import type { Delivery, DeliveryResult } from './delivery.js';
import type { DoseEndEvidence } from '../alerts/kinds/missed-dose/evidence.js';
import {
  ALERTING_EVENTS,
  isNewFact,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  notificationEventFacts,
} from './notification-events.js';
import { addressedTo } from './owed.js';
import { isOperator, OPERATOR, type Recipient } from './persons.js';
import { type Address, type Addressees, isSameAddress, personOf } from './recipients.js';

/** The channel of the endpoint that `WEBHOOK_URL` names; that of another one has its id behind it, `webhook:ID`. */
export const WEBHOOK = 'webhook';
/** The notifier's own output, which takes everything: what no endpoint takes is printed there. */
export const OUTPUT = 'console';

/** So long after its first failure without a success an endpoint is disabled. Milliseconds. */
export const DISABLED_AFTER_MS = 5 * DAY_MS;
/** So long before, people are notified of that. Milliseconds. */
export const NOTICE_MS = DAY_MS;

/** What is sent about the operation, and not about an alert. */
const OTHER_TYPES = ['addresses.refused', 'endpoint.failing', 'endpoint.disabled'] as const;

type AlertType = `alert.${NotificationEvent}`;
/** The `type` of a webhook that an endpoint may want. */
export type WebhookType = AlertType | (typeof OTHER_TYPES)[number];

const typeOf = (event: NotificationEvent): AlertType => `alert.${event}`;
export const WEBHOOK_TYPES: readonly WebhookType[] = [...NOTIFICATION_EVENTS.map(typeOf), ...OTHER_TYPES];

/** Why an endpoint takes nothing at the moment. */
export type EndpointHold = 'paused' | 'disabled';

/** Why a notification waits for an endpoint. */
export const heldReason = (hold: EndpointHold): string => `the endpoint is ${hold}`;

/** What is owed to an endpoint that takes nothing is looked at again after this time: it may not be true any more. Milliseconds. */
const HELD_RETRY_MS = 10 * MINUTE_MS;

/** One receiver of webhooks, as far as it decides what goes there. */
export interface Endpoint {
  channel: string;
  /** The kinds of alerts that it wants; all if absent. */
  kinds?: readonly AlertKind[];
  /** The types that it wants; all if absent. */
  events?: readonly WebhookType[];
  hold?: EndpointHold;
}

export const endpointChannel = (id: string): string => `${WEBHOOK}:${id}`;

/** Whether a channel leads to an endpoint. */
export const isEndpointChannel = (channel: string): boolean =>
  channel === WEBHOOK || channel.startsWith(endpointChannel(''));

export const wantsType = ({ events }: Endpoint, type: WebhookType): boolean =>
  events === undefined || events.includes(type);

const wantsKind = ({ kinds }: Endpoint, kind: AlertKind | undefined): boolean =>
  kinds === undefined || kind === undefined || kinds.includes(kind);

/**
 * Of the types that an endpoint is to want, one that would never be sent there: an end that goes to those who were sent
 * the start, of an endpoint that does not want the start.
 */
export function endWithoutStart(events: readonly WebhookType[]): WebhookType | undefined {
  if (events.includes('alert.raised')) return undefined;
  const needStart = NOTIFICATION_EVENTS.filter((event) => {
    const { ends, standsAlone } = notificationEventFacts(event);
    return ends !== undefined && standsAlone !== true;
  }).map(typeOf);
  return events.find((type) => (needStart as readonly string[]).includes(type));
}

/** The channels by which notifications reach the operator's program. */
export interface ProgramChannels {
  operator: string[];
  /** For people whose contact says that the program knows them. */
  people: string[];
}

/**
 * To which endpoints notifications of a kind go: to each that wants it. What is owed to one that is paused or disabled
 * waits there. If none of them takes it now, what is for the operator is printed, too, and nobody is reached there.
 *
 * @param kind undefined: any.
 */
export function programChannels(
  kind: AlertKind | undefined,
  endpoints: readonly Endpoint[],
): ProgramChannels {
  if (endpoints.length === 0) return { operator: [OUTPUT], people: [OUTPUT] };
  const wanting = endpoints.filter((endpoint) => wantsKind(endpoint, kind));
  const channels = wanting.map(({ channel }) => channel);
  const isTaken = wanting.some(({ hold }) => hold === undefined);
  return isTaken ? { operator: channels, people: channels } : { operator: [...channels, OUTPUT], people: [] };
}

/** Whether a notification goes to an endpoint that does not want its event. */
function isUnwanted(
  { channel, event }: Pick<Delivery, 'channel' | 'event'>,
  endpoints: readonly Endpoint[],
): boolean {
  const endpoint = endpoints.find((one) => one.channel === channel);
  return endpoint !== undefined && !wantsType(endpoint, typeOf(event));
}

/** Whether two notifications of one alert say the same to one recipient: of one step, or of one end (DOSE-24). */
function isForSameReason(one: Delivery, other: Delivery): boolean {
  const areEnds = [one, other].every(({ event }) => !ALERTING_EVENTS.includes(event));
  return one.recipient === other.recipient && (areEnds || one.step === other.step);
}

/**
 * Leaves out what endpoints do not want. What is left for nobody then is printed for the operator.
 *
 * @param notifications of one alert, with no more than one end.
 */
export function withoutUnwanted<I extends Id>(
  notifications: readonly Delivery<I>[],
  endpoints: readonly Endpoint[],
): Delivery<I>[] {
  const wanted = notifications.filter((one) => !isUnwanted(one, endpoints));
  const left = notifications
    // a reminder is for nobody else
    .filter(({ kind }) => !alertKindFacts(kind).reminds)
    .filter((one) => !wanted.some((other) => isForSameReason(one, other)))
    .map((one) => addressedTo(one, { recipient: OPERATOR, channel: OUTPUT }));
  return [...wanted, ...new Map(left.map((one) => [one._id, one])).values()];
}

/**
 * What is owed to an endpoint that takes nothing waits, without an attempt. If no other takes it now, what is for the
 * operator is printed, too.
 */
export function whileHeld(
  delivery: Delivery,
  { evidence }: { evidence: DoseEndEvidence },
  hold: EndpointHold,
  endpoints: readonly Endpoint[],
  now: Date,
): DeliveryResult {
  const isTaken = endpoints.some(
    (one) =>
      one.hold === undefined && wantsKind(one, delivery.kind) && wantsType(one, typeOf(delivery.event)),
  );
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + HELD_RETRY_MS),
    reason: heldReason(hold),
    ...(isOperator(delivery) && !isTaken && { copies: [printed(delivery, evidence, now)] }),
  };
}

/** A notification that waits for an endpoint, as it is printed meanwhile; what is no new fact, for whoever was notified there. */
function printed(delivery: Delivery, evidence: DoseEndEvidence, now: Date): Delivery {
  const output = { recipient: OPERATOR, channel: OUTPUT };
  if (!isNewFact(delivery.event, evidence)) return movedCopies(delivery, [output], now)[0]!;
  return { ...addressedTo(delivery, output), next_attempt_at: now };
}

/** The endpoints at which somebody is reached at the moment. */
export function endpointAddresses(recipient: Recipient, addressees: Addressees): Address[] {
  const channels = isOperator(recipient)
    ? addressees.operator
    : (personOf(recipient, addressees)?.channels ?? []);
  return channels
    .filter((channel) => isEndpointChannel(channel))
    .map((channel) => ({ recipient: recipient.recipient, channel }));
}

/**
 * The ends that are new facts, as those at each endpoint to which nothing about the alert went before: it wanted no start
 * (HOOK-1).
 *
 * @param ends of one alert.
 * @param earlier the other notifications about it.
 */
export function newFactsAtEndpoints<I extends Id>(
  ends: readonly Delivery<I>[],
  evidence: DoseEndEvidence,
  earlier: readonly Delivery<I>[],
  addressees: Addressees,
  endpoints: readonly Endpoint[],
): Delivery<I>[] {
  const takesStarts = ({ channel }: Address): boolean =>
    endpoints.some((one) => one.channel === channel && wantsType(one, 'alert.raised'));
  const copies = ends
    .filter(({ event }) => isNewFact(event, evidence))
    .flatMap((end) => {
      const addresses = endpointAddresses(end, addressees);
      const isByProgram = isEndpointChannel(end.channel) || !addresses.some(takesStarts);
      return isByProgram ? addresses.map((address) => addressedTo(end, address)) : [];
    })
    .filter((one) => !earlier.some(isSameAddress(one)) && !ends.some(isSameAddress(one)));
  return [...new Map(copies.map((one) => [one._id, one])).values()];
}

/**
 * Where a notification moves to that waits at an endpoint at which its next recipient is reached: not to the other
 * endpoints, each of which has one of its own (HOOK-1).
 */
export function besideOwn<A extends { channel: string }>({ channel }: Address, to: readonly A[]): A[] {
  const isThere = isEndpointChannel(channel) && to.some((one) => one.channel === channel);
  return to.filter((one) => !isThere || !isEndpointChannel(one.channel) || one.channel === channel);
}

/**
 * A notification that moves to several addresses, at all that want it, as an endpoint may not: where it moves to, and as
 * those at the others.
 *
 * @param to of one recipient.
 */
export function movedToAll<I extends Id>(
  delivery: Delivery<I>,
  to: readonly { recipient: string; channel: string }[],
  endpoints: readonly Endpoint[],
  now: Date,
): { to: { recipient: string; channel: string }; copies: Delivery<I>[] } {
  const wanting = to.filter(({ channel }) => !isUnwanted({ channel, event: delivery.event }, endpoints));
  const [first = { recipient: OPERATOR, channel: OUTPUT }, ...others] = wanting;
  return { to: first, copies: movedCopies(delivery, others, now) };
}

/** A notification that moves to several addresses, as those at the further ones: they are for whoever was notified there. */
export function movedCopies<I extends Id>(
  delivery: Delivery<I>,
  to: readonly Address[],
  now: Date,
): Delivery<I>[] {
  const { recipient, channel, moved_from = [] } = delivery;
  return to.map((address) => ({
    ...addressedTo(delivery, address),
    moved_from: [...moved_from, { recipient, channel }],
    next_attempt_at: now,
  }));
}

/** What follows from how long an endpoint has failed without a success. */
export function endpointFails(
  { failing_since, noticed_at, hold }: { failing_since?: Date; noticed_at?: Date; hold?: EndpointHold },
  now: Date,
): 'notice' | 'disable' | undefined {
  if (failing_since === undefined || hold !== undefined) return undefined;
  const failed = now.getTime() - failing_since.getTime();
  if (noticed_at === undefined) return failed >= DISABLED_AFTER_MS - NOTICE_MS ? 'notice' : undefined;
  const noticed = now.getTime() - noticed_at.getTime();
  return failed >= DISABLED_AFTER_MS && noticed >= NOTICE_MS ? 'disable' : undefined;
}
