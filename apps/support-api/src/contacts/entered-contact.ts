import { FIRST_CARER } from '#domain';
import {
  type AddressHealth,
  browsersOf,
  type Carer,
  type CarerDetails,
  carersOf,
  CONTACT_CHANNELS,
  type Contact,
  type ContactAddresses,
  type ContactChannel,
  type ContactDetails,
  ENTERED_CHANNELS,
  peopleOf,
  unverifiedAddresses,
  type Verification,
  verifiedField,
} from '#persistence';
import { definedOnly } from '#platform';
import { randomBytes } from 'node:crypto';
import type { ContactDto } from './contact.dto.js';
import type { CarerDto, ContactDetailsDto } from './contact-details.dto.js';
import { checkSteps, enteredCarers } from './entered-carers.js';

const DEFAULT_ZONE = 'UTC';

export const newId = (): string => randomBytes(16).toString('hex');

/**
 * A contact as somebody has entered it, with what is known of what stays.
 *
 * @throws Problem 400 of {@link enteredCarers} and {@link checkSteps}
 */
export function enteredContact(userId: string, body: ContactDto, before: Contact | null, now: Date): Contact {
  const { carer: _carer, carers: _carers, escalation, fills_pillbox, ...own } = body;
  const user = toDetails(own, DEFAULT_ZONE, before, now);
  const entered = enteredCarers(body, before);
  const carers = entered.map(({ id, details, stays }): Carer => {
    if (stays) return stays;
    const known = before ? carersOf(before).find((one) => one.id === id) : undefined;
    return { ...toCarer(details, user.time_zone, known, now), id };
  });
  if (escalation) checkSteps(escalation, carers);
  const again = [own, ...entered.flatMap(({ details }) => details ?? [])].flatMap((details) =>
    ENTERED_CHANNELS.flatMap((channel) =>
      details[`${channel}_verified`] === false ? (details[channel] ?? []) : [],
    ),
  );
  const verification = verificationOf([user, ...carers], before, again, now);
  const { id: _id, ...first } = carers.find(({ id }) => id === FIRST_CARER) ?? {};
  const others = carers.filter(({ id }) => id !== FIRST_CARER);
  return {
    _id: userId,
    ...user,
    ...(fills_pillbox && { fills_pillbox }),
    ...(_id !== undefined && { carer: first as CarerDetails }),
    ...(others.length > 0 && { other_carers: others }),
    ...(escalation ? { escalation: escalation.map(definedOnly) } : {}),
    ...(verification && { verification }),
    ...(before?.refusals_due_at && { refusals_due_at: before.refusals_due_at }),
    // a change of the contact does not make room for more test messages
    ...(before?.test && { test: before.test }),
    changed_at: now,
  };
}

function toDetails(
  body: ContactDetailsDto,
  zone: string,
  before: ContactDetails | null | undefined,
  now: Date,
): ContactDetails {
  const { name, phone, webhook, language, time_zone = zone, quiet_hours } = body;
  const details: ContactDetails = {
    ...definedOnly({ name, phone, webhook, language }),
    ...toAddresses(body, before, now),
    time_zone,
    ...(quiet_hours ? { quiet_hours: { from: quiet_hours.from, to: quiet_hours.to } } : {}),
  };
  if (body.push !== false) Object.assign(details, browsersKept(details, before));
  return { ...details, ...healthOf(details, before) };
}

/** The browsers of before that are still the person's: nobody enters one. */
function browsersKept(details: ContactDetails, before: ContactDetails | null | undefined): ContactAddresses {
  const { push, push_since, push_browsers } = before ?? {};
  const kept = push_browsers && browsersOf({ ...details, push_browsers });
  return kept && kept.length > 0 ? definedOnly({ push, push_since, push_browsers: kept }) : {};
}

/** Whoever has another name and other addresses than the carer before is another person. */
function toCarer(
  { relation, groups, ...body }: CarerDto,
  zone: string,
  before: CarerDetails | undefined,
  now: Date,
): CarerDetails {
  const details = toDetails(body, zone, before, now);
  const carer_since = before && isSamePerson(details, before) ? before.carer_since : now;
  return { ...details, ...definedOnly({ relation, groups, carer_since }) };
}

function isSamePerson(one: ContactDetails, other: ContactDetails): boolean {
  const fields = ['name', 'phone', ...ENTERED_CHANNELS] as const;
  const known = fields.filter((field) => one[field] !== undefined && other[field] !== undefined);
  return known.length === 0 || known.some((field) => sameText(one[field]!, other[field]!));
}

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function toAddresses(
  body: ContactDetailsDto,
  before: ContactDetails | null | undefined,
  now: Date,
): ContactAddresses {
  const addresses: ContactAddresses = {};
  for (const channel of ENTERED_CHANNELS) {
    const address = body[channel];
    if (address === undefined) continue;
    addresses[channel] = address;
    const isSame = before?.[channel] === address;
    const verifiedBefore = isSame ? before[verifiedField(channel)] : null;
    const verified = verifiedAt(verifiedBefore, body[`${channel}_verified`], now);
    addresses[verifiedField(channel)] = verified;
    const isUnverifiedNow = verified === null && verifiedBefore !== null;
    const since = isSame && !isUnverifiedNow ? before[`${channel}_since`] : now;
    if (since) addresses[`${channel}_since`] = since;
  }
  return addresses;
}

/** What is known of the addresses that stay: that one was refused, or that the person has paused it. */
function healthOf(details: ContactDetails, before: ContactDetails | null | undefined): AddressHealth {
  const kept = <T>(health: Partial<Record<ContactChannel, T>> = {}): [string, T][] =>
    CONTACT_CHANNELS.filter((channel) => details[channel] === before?.[channel]).flatMap((channel) => {
      const known = health[channel];
      return known === undefined ? [] : [[channel, known]];
    });
  const [refused, paused] = [kept(before?.refused), kept(before?.paused)];
  return {
    ...(refused.length > 0 && { refused: Object.fromEntries(refused) }),
    ...(paused.length > 0 && { paused: Object.fromEntries(paused) }),
  };
}

/**
 * Asks the addresses that are not verified: once, unless staff say that they are to be asked again. What limits the mails
 * of an hour is kept, also while every address is verified.
 */
function verificationOf(
  people: readonly ContactDetails[],
  before: Contact | null,
  again: string[],
  now: Date,
): Verification | undefined {
  const { id = newId(), asked = [], recent } = before?.verification ?? {};
  const unverified = people.flatMap(unverifiedAddresses);
  const peopleBefore = before ? peopleOf(before).map(([, details]) => details) : [];
  const kept = peopleBefore
    .flatMap(unverifiedAddresses)
    .filter((address) => unverified.includes(address) && asked.includes(address) && !again.includes(address));
  if (unverified.length === 0 && !recent) return undefined;
  const isDue = unverified.some((address) => !kept.includes(address));
  return { id, ...(isDue && { due_at: now }), asked: kept, ...(recent && { recent }) };
}

/**
 * When an address was verified: an unchanged one when it was before, if staff say nothing else.
 *
 * @param before null if it was not; undefined if a version without verification wrote it
 */
function verifiedAt(
  before: Date | null | undefined,
  isVerified: boolean | undefined,
  now: Date,
): Date | null {
  if (isVerified === false) return null;
  if (before !== null) return before ?? now;
  return isVerified ? now : null;
}
