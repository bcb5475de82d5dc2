import { HOUR_MS, onRemindersChange, recipientOf, remindingSteps } from '#domain';
import {
  AddressHealthRepository,
  addressOver,
  BottleStatesRepository,
  type Contact,
  contactDetailsOf,
  ContactsRepository,
  type Expected,
  isPaused,
  TEST_GIVEN_UP_MS,
  type TestMessage,
  peopleOf,
  versionOf,
} from '#persistence';
import { Clock, isUserId, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { PeopleIndex } from '../bottles/people-index.js';
import { changedMeanwhile, isAllowed, type Precondition, preconditionFailed } from '../http/versions.js';
import type { Staff } from '../auth/staff.js';
import type { ContactDto } from './contact.dto.js';
import { nothingOfUser } from '../http/ids.js';
import { changedFields } from './changed-fields.js';
import { enteredContact, newId } from './entered-contact.js';
import { requireSteps } from './reminders.js';
import { WaitingMessages } from './waiting-messages.js';
import { type SendTestDto, type TestMessageDto, testView } from './test-message.dto.js';

/** Of those who save a contact at once, one wins each time. */
const MOST_TRIES = 100;
/** Test messages to a contact within an hour. */
const MOST_TESTS = 5;

/** How users are notified. Who they are is known to the operator's user service only. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly addresses: AddressHealthRepository,
    private readonly people: PeopleIndex,
    private readonly states: BottleStatesRepository,
    private readonly waiting: WaitingMessages,
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
   * @throws Problem 400 if no new user may have this id, or a step is none, and as {@link enteredContact}; 409, 412
   */
  async put(
    userId: string,
    body: ContactDto,
    expected: Precondition,
  ): Promise<{ contact: Contact; isNew: boolean; changed: string[] | undefined }> {
    requireSteps(body.escalation ?? []);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const before = await this.contacts.findByUser(userId);
      if (!before && !isUserId(userId)) throw nothingOfUser(userId, 'contact');
      if (!isAllowed(expected, before)) throw preconditionFailed(expected, before !== null);
      const now = this.clock.now();
      const contact = enteredContact(userId, body, before, now);
      await this.pauseStopped(contact);
      // it replaces what was read, and nothing that came meanwhile, such as a STOP
      const stored = await (before
        ? this.contacts.replace(contact, versionOf(before))
        : this.contacts.insert(contact));
      if (!stored) continue;
      await this.people.refresh([userId]);
      await this.waiting.sendAgain(userId);
      // also if they are as before: the request before may have been interrupted here
      if (remindingSteps(contact.escalation ?? []).length > 0)
        await this.states.changeOfUser(userId, onRemindersChange(now));
      const changed = before ? changedFields(before, contact) : undefined;
      return { contact: stored, isNew: !before, changed };
    }
    throw new Problem(409, 'changed_meanwhile', 'Others change the contact all the time. Try again.');
  }

  /** Whose number it was when somebody wrote STOP does not matter: nothing goes to the number (SMS-4). */
  private async pauseStopped(contact: Contact): Promise<void> {
    for (const [, details] of peopleOf(contact)) {
      if (details.sms === undefined || isPaused('sms', details)) continue;
      const since = await this.addresses.pausedSince(details.sms);
      if (since) details.paused = { ...details.paused, sms: since };
    }
  }

  /** @throws Problem 404; 409 `no_address`, `address_paused`, `test_pending`; 429 `too_many_tests` */
  async sendTest(userId: string, { to, channel }: SendTestDto, { name }: Staff): Promise<TestMessageDto> {
    const contact = await this.get(userId);
    const details = contactDetailsOf(recipientOf(to, userId), contact);
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
    if (!(await this.contacts.delete(userId, expected))) {
      await this.get(userId);
      throw changedMeanwhile();
    }
    await this.people.refresh([userId]);
    await this.waiting.sendAgain(userId);
  }
}
