import { FIRST_CARER, type Person, USER } from '#domain';
import {
  addressOver,
  carersOf,
  CONTACT_CHANNELS,
  type Contact,
  type ContactChannel,
  type ContactDetails,
  ENTERED_CHANNELS,
  isEntered,
  verifiedField,
} from '#persistence';
import { definedOnly } from '#platform';
import type { ContactDto, ContactWarningDto } from './contact.dto.js';
import type {
  AddressHealthDto,
  CarerDto,
  ContactDetailsDto,
  ReachabilityDto,
} from './contact-details.dto.js';

/** A contact as responses have it. */
export function contactView(
  contact: Contact,
  reachabilityOf: (person: Person) => ReachabilityDto,
  warnings: ContactWarningDto[],
): ContactDto {
  const {
    _id,
    changed_at,
    version: _version,
    verification: _asked,
    test: _test,
    refusals_due_at: _due,
    carer: _first,
    other_carers: _others,
    ...user
  } = contact;
  const carers = carersView(contact).map((carer): CarerDto => ({ ...carer, ...reachabilityOf(carer.id) }));
  const first = carers.find(({ id }) => id === FIRST_CARER);
  return {
    ...detailsView(user, changed_at),
    ...reachabilityOf(USER),
    ...(first && { carer: withoutPlace(first) }),
    ...(carers.length > 0 && { carers }),
    warnings,
  };
}

/** The carers of a contact as responses have them, but for whether they are reached. */
export function carersView(contact: Contact): (CarerDto & { id: Person })[] {
  return carersOf(contact).map(({ id, ...details }) => ({ id, ...detailsView(details, contact.changed_at) }));
}

/** The details of a carer as the field `carer` has them. */
export function withoutPlace({
  id: _id,
  relation: _relation,
  groups: _groups,
  ...details
}: CarerDto): ContactDetailsDto {
  return details;
}

/** Undefined without an address; of the webhook, if it is not refused. */
function healthView(
  channel: ContactChannel,
  details: ContactDetails,
  changedAt: Date,
): AddressHealthDto | undefined {
  const view = (state: AddressHealthDto['state'], since: Date | undefined): AddressHealthDto => ({
    state,
    ...(since && { since: since.toISOString() }),
  });
  const refusal = details.refused?.[channel];
  if (channel === 'webhook' && !(details.webhook && refusal)) return undefined;
  if (channel !== 'webhook') {
    if (details[channel] === undefined) return undefined;
    const paused = details.paused?.[channel];
    if (paused) return view('paused', paused);
  }
  if (refusal) return { ...view('refused', refusal.at), by: refusal.by, reply: refusal.reply };
  if (channel === 'webhook') return undefined;
  if (!isEntered(channel))
    return addressOver(channel, details) === undefined ? undefined : view('verified', details.push_since);
  const verifiedAt = details[verifiedField(channel)];
  return verifiedAt === null
    ? view('unverified', details[`${channel}_since`])
    : view('verified', verifiedAt ?? changedAt);
}

/** An address that a version without verification wrote is shown as the migration would leave it. */
function detailsView(all: ContactDetails, changedAt: Date): ContactDetailsDto {
  const {
    carer_since: _since,
    email_since: _email,
    sms_since: _sms,
    push: _push,
    push_since: _pushSince,
    push_browsers: _browsers,
    refused: _refused,
    paused: _paused,
    ...details
  } = all;
  const times = ENTERED_CHANNELS.map((channel) => {
    const { [channel]: address, [verifiedField(channel)]: verifiedAt } = details;
    const at = verifiedAt === undefined && address !== undefined ? changedAt : verifiedAt;
    return [verifiedField(channel), at?.toISOString()];
  });
  const healths = CONTACT_CHANNELS.map((channel) => [
    `${channel}_health`,
    healthView(channel, all, changedAt),
  ]);
  return definedOnly({
    ...details,
    ...(addressOver('push', all) !== undefined && { push: true }),
    ...Object.fromEntries([...times, ...healths]),
  } as ContactDetailsDto);
}
