import { HOUR_MS, onRemindersChange, remindingSteps } from '#domain';
import {
  type AddressHealth,
  addressOver,
  BottleStatesRepository,
  browsersOf,
  CONTACT_CHANNELS,
  type Contact,
  type ContactAddresses,
  type ContactChannel,
  type ContactDetails,
  ContactsRepository,
  ENTERED_CHANNELS,
  type Expected,
  isPaused,
  TEST_GIVEN_UP_MS,
  type TestMessage,
  unverifiedAddresses,
  verifiedField,
} from '#persistence';
import { Clock, definedOnly, isUserId, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { PeopleIndex } from '../bottles/people-index.js';
import { randomBytes } from 'node:crypto';
import { changedMeanwhile, type Precondition, preconditionFailed } from '../http/versions.js';
import type { Staff } from '../auth/staff.js';
import {
  type ContactDetailsDto,
  type ContactDto,
  type SendTestDto,
  type TestMessageDto,
  testView,
} from './contact.dto.js';
import { nothingOfUser } from '../http/ids.js';
import { changedFields } from './changed-fields.js';
import { requireSteps } from './reminders.js';

const DEFAULT_ZONE = 'UTC';
/** Test messages to a contact within an hour. */
const MOST_TESTS = 5;

/** How users are notified. Who they are is known to the operator's user service only. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly people: PeopleIndex,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 404 */
  async get(userId: string): Promise<Contact> {
    const contact = await this.contacts.findByUser(userId);
    if (!contact) throw nothingOfUser(userId, 'contact');
    return contact;
  }

  /**
   * @returns `changed`: the names of the fields that are not as before; undefined if there was no contact
   * @throws Problem 400 if no new user may have this id, or a step is none; 412
   */
  async put(
    userId: string,
    body: ContactDto,
    expected: Precondition,
  ): Promise<{ contact: Contact; isNew: boolean; changed: string[] | undefined }> {
    const { carer: carerBody, escalation, fills_pillbox, ...own } = body;
    requireSteps(escalation ?? []);
    const now = this.clock.now();
    const before = await this.contacts.findByUser(userId);
    if (!before && !isUserId(userId)) throw nothingOfUser(userId, 'contact');
    const user = toDetails(own, DEFAULT_ZONE, before, now);
    const carer =
      carerBody && toCarer(toDetails(carerBody, user.time_zone, before?.carer, now), before?.carer, now);
    const again = [own, carerBody].flatMap((details) =>
      ENTERED_CHANNELS.flatMap((channel) =>
        details?.[`${channel}_verified`] === false ? (details[channel] ?? []) : [],
      ),
    );
    const verification = verificationOf({ ...user, carer }, before, again, now);
    const contact: Contact = {
      _id: userId,
      ...user,
      ...(fills_pillbox && { fills_pillbox }),
      ...(carer ? { carer } : {}),
      ...(escalation ? { escalation: escalation.map(definedOnly) } : {}),
      ...(verification && { verification }),
      ...(before?.refusals_due_at && { refusals_due_at: before.refusals_due_at }),
      // a change of the contact does not make room for more test messages
      ...(before?.test && { test: before.test }),
      changed_at: now,
    };
    const stored = await (expected === 'new' ? this.insert(contact) : this.contacts.put(contact, expected));
    if (!stored) throw preconditionFailed(expected, before !== null);
    await this.people.refresh([userId]);
    // also if they are as before: the request before may have been interrupted here
    if (remindingSteps(contact.escalation ?? []).length > 0)
      await this.states.changeOfUser(userId, onRemindersChange(now));
    return { ...stored, changed: before ? changedFields(before, contact) : undefined };
  }

  private async insert(contact: Contact): Promise<{ contact: Contact; isNew: boolean } | null> {
    const made = await this.contacts.insert(contact);
    return made && { contact: made, isNew: true };
  }

  /** @throws Problem 404; 409 `no_address`, `address_paused`, `test_pending`; 429 `too_many_tests` */
  async sendTest(userId: string, { to, channel }: SendTestDto, { name }: Staff): Promise<TestMessageDto> {
    const contact = await this.get(userId);
    const details = to === 'user' ? contact : contact.carer;
    if (!details || addressOver(channel, details) === undefined)
      throw new Problem(409, 'no_address', 'Nothing is sent there: no address, or it is not verified.');
    if (isPaused(channel, details))
      throw new Problem(409, 'address_paused', 'The person has paused the messages there.');
    const at = this.clock.now();
    const before = (ms: number): Date => new Date(at.getTime() - ms);
    const test: TestMessage = { id: newId(), to, channel, by: name, at, due_at: at };
    const limits = { stuck: before(TEST_GIVEN_UP_MS), since: before(HOUR_MS), most: MOST_TESTS };
    if (await this.contacts.requestTest(userId, test, limits)) return testView(test);
    const { test: last } = await this.get(userId);
    if (last?.due_at && last.at > limits.stuck)
      throw new Problem(409, 'test_pending', 'The last test message is not sent yet.');
    const [first = at] = last?.recent.filter((time) => time > limits.since) ?? [];
    const wait = Math.ceil((first.getTime() + HOUR_MS - at.getTime()) / 1000);
    const limit = `This contact had ${MOST_TESTS} test messages within an hour.`;
    throw new Problem(429, 'too_many_tests', limit, undefined, Math.max(1, wait));
  }

  /** @throws Problem 404 if there is no contact, or none was sent */
  async findTest(userId: string): Promise<TestMessageDto> {
    const { test } = await this.get(userId);
    if (!test) throw Problem.notFound('test');
    return testView(test);
  }

  /** @throws Problem 404, 412 */
  async delete(userId: string, expected: Expected): Promise<void> {
    if (await this.contacts.delete(userId, expected)) return this.people.refresh([userId]);
    await this.get(userId);
    throw changedMeanwhile();
  }
}

const newId = (): string => randomBytes(16).toString('hex');

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
function toCarer(carer: ContactDetails, before: ContactDetails | undefined, now: Date): ContactDetails {
  const carer_since = before && isSamePerson(carer, before) ? before.carer_since : now;
  return { ...carer, ...(carer_since && { carer_since }) };
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
    const since = isSame ? before[`${channel}_since`] : now;
    if (since) addresses[`${channel}_since`] = since;
    const verifiedBefore = isSame ? before[verifiedField(channel)] : null;
    addresses[verifiedField(channel)] = verifiedAt(verifiedBefore, body[`${channel}_verified`], now);
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
function verificationOf(contact: People, before: Contact | null, again: string[], now: Date) {
  const { id = newId(), asked = [], recent } = before?.verification ?? {};
  const unverified = unverifiedIn(contact);
  const kept = unverifiedIn(before).filter(
    (address) => unverified.includes(address) && asked.includes(address) && !again.includes(address),
  );
  if (unverified.length === 0 && !recent) return undefined;
  const isDue = unverified.some((address) => !kept.includes(address));
  return { id, ...(isDue && { due_at: now }), asked: kept, ...(recent && { recent }) };
}

type People = { carer?: ContactDetails | undefined } & ContactDetails;

function unverifiedIn(contact: People | null): string[] {
  return [contact, contact?.carer].flatMap((details) => (details ? unverifiedAddresses(details) : []));
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
