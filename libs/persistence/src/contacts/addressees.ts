import { type Addressees, type AlertKind, type Endpoint, programChannels, WEBHOOK } from '#domain';
import {
  channelOfEndpoint,
  FIRST_ENDPOINT,
  holdOf,
  type WebhookEndpoint,
} from '../webhook-endpoints/webhook-endpoint.schema.js';
import { addressOver, type ContactDetails, isHeldBack, isReadByPeople } from './addresses.js';
import type { Contact } from './contact.schema.js';

/** The channels over which messages go. */
export interface SetUpChannels {
  people: readonly string[];
  operator: readonly string[];
}

/** The endpoints to which a notifier sends, the one of `WEBHOOK_URL` first. @param hasFirst whether that is set */
export function endpointsOf(stored: readonly WebhookEndpoint[], hasFirst: boolean): Endpoint[] {
  const others = stored.filter(({ _id, deleted_at }) => !deleted_at && !_id.equals(FIRST_ENDPOINT));
  return [
    ...(hasFirst ? [{ channel: WEBHOOK }] : []),
    ...others.map((endpoint) => {
      const { kinds, events } = endpoint;
      const hold = holdOf(endpoint);
      return {
        channel: channelOfEndpoint(endpoint),
        ...(kinds && { kinds }),
        ...(events && { events }),
        ...(hold && { hold }),
      };
    }),
  ];
}

/**
 * The channels over which messages of a kind go.
 *
 * @param own of the notifier, by its settings
 * @param kind undefined: of any kind
 */
export function setUpChannels(
  own: readonly string[],
  endpoints: readonly Endpoint[],
  kind?: AlertKind,
): SetUpChannels {
  const program = programChannels(kind, endpoints);
  return { operator: program.operator, people: [...program.people, ...own.filter(isReadByPeople)] };
}

/**
 * Where the persons of a contact are reached at the moment.
 *
 * @param contact undefined: everything goes to the operator
 * @param channels those that are set up
 * @param now of an address that is refused, or paused by the person, there is none
 */
export function addresseesOf(
  contact: Contact | undefined,
  channels: SetUpChannels,
  now: Date,
): Addressees<ContactDetails> {
  const reached = (details: ContactDetails) => ({
    details,
    channels: channels.people.filter(
      (channel) => addressOver(channel, details) !== undefined && !isHeldBack(channel, details, now),
    ),
  });
  return {
    user: contact && { id: contact._id, person: reached(contact) },
    carer: contact?.carer && reached(contact.carer),
    operator: channels.operator,
  };
}
