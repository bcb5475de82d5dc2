import {
  type Address,
  type Addressees,
  alertKindsThat,
  besideOwn,
  type DeliveryResult,
  endpointAddresses,
  type EndpointHold,
  isCanary,
  isEndpointChannel,
  isOfAnotherPerson,
  isOperator,
  movedCopies,
  movedToAll,
  newFactsAtEndpoints,
  staffAddresses,
  WEBHOOK,
  whileHeld,
  withoutAsker,
  withoutUnwanted,
} from '#domain';
import {
  addresseesOf,
  type Alert,
  type Contact,
  type ContactDetails,
  ContactsRepository,
  type Delivery,
  setUpChannels,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { Channels } from './channels/index.js';
import { StaffBrowsers } from './channels/push/staff-browsers.js';
import { Endpoints } from './channels/webhook/endpoints.js';

const FOR_OPERATOR = alertKindsThat('goesToOperator');

/** Reads the persons of users' alerts, and where they are reached. */
@Injectable()
export class Recipients {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly channels: Channels,
    private readonly endpoints: Endpoints,
    private readonly staff: StaffBrowsers,
  ) {}

  /** The contacts of these users, by user. What is no id, in a damaged record, has none. */
  async contactsOf(userIds: string[]): Promise<Map<string, Contact>> {
    const ids = [...new Set(userIds)].filter((id) => typeof id === 'string');
    if (ids.length === 0) return new Map();
    const found = await this.contacts.findByUsers(ids);
    return new Map(found.map((contact) => [contact._id, contact]));
  }

  /**
   * Where the people of an alert are reached at the moment.
   *
   * @param contacts by user; of a kind that goes to the operator they are nobody's.
   * @param now the moment.
   */
  addresseesOf(
    alert: Pick<Alert, 'kind' | 'user_id' | 'bottle_id' | 'evidence'> | undefined,
    contacts: ReadonlyMap<string, Contact>,
    now: Date,
  ): Addressees<ContactDetails> {
    const contact = alert && !FOR_OPERATOR.includes(alert.kind) ? contacts.get(alert.user_id) : undefined;
    // watchdogs answer at an address of their own
    const ofWatchdog = alert !== undefined && isCanary(alert.bottle_id);
    const endpoints = ofWatchdog
      ? this.endpoints.current.filter(({ channel }) => channel === WEBHOOK)
      : this.endpoints.current;
    const channels = setUpChannels(this.channels.setUp, endpoints, alert?.kind);
    const staff = ofWatchdog ? [] : this.staff.recipients;
    return { ...withoutAsker(alert, addresseesOf(contact, channels, now)), staff };
  }

  /** Of the notifications of one alert, those that go anywhere: endpoints want some events only. */
  wanted(notifications: readonly Delivery[]): Delivery[] {
    return withoutUnwanted(notifications, this.endpoints.current);
  }

  /**
   * The ends of an alert that go anywhere. What is new is one at each endpoint that wants it, also at one that wanted
   * nothing of the alert before (HOOK-1).
   *
   * @param earlier the notifications about this alert.
   */
  endsWanted(
    { evidence }: Alert,
    ends: readonly Delivery[],
    earlier: readonly Delivery[],
    addressees: Addressees,
  ): Delivery[] {
    return this.wanted([
      ...ends,
      ...newFactsAtEndpoints(ends, evidence, earlier, addressees, this.endpoints.current),
    ]);
  }

  /** What becomes of a notification that waits for an endpoint. */
  whileHeld(delivery: Delivery, alert: Alert, hold: EndpointHold, now: Date): DeliveryResult {
    return whileHeld(delivery, alert, hold, this.endpoints.current, now);
  }

  /**
   * Where a notification moves to: to another person, it goes to all addresses; to an endpoint, to all that want it; to the
   * operator, to staff, too.
   *
   * @param also the further addresses of another person; `returns`: it never went to where it was.
   */
  movedTo(
    delivery: Delivery,
    { to, also = [], returns }: { to: Address; also?: Address[]; returns?: true },
    addressees: Addressees,
    now: Date,
  ): { to: Address; copies?: Delivery[] } {
    const isNew = isOperator(to) && !isOperator(delivery);
    const staff = isNew ? movedCopies(delivery, staffAddresses(addressees), now) : [];
    const isToEndpoints = isEndpointChannel(to.channel) && !isOfAnotherPerson(to, delivery);
    const addresses = isToEndpoints ? endpointAddresses(to, addressees) : [to, ...also];
    const moved = movedToAll(delivery, besideOwn(delivery, addresses), this.endpoints.current, now);
    const copies = [...moved.copies, ...staff];
    return { to: moved.to, copies: returns ? copies.map((one) => ({ ...one, moved_from: [] })) : copies };
  }
}
