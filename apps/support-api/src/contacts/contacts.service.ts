import { HOUR_MS, onRemindersChange, recipientOf, remindingSteps } from '#domain';
import {
  addressOver,
  BottleStatesRepository,
  type Contact,
  contactDetailsOf,
  ContactsRepository,
  type Expected,
  isPaused,
  TEST_GIVEN_UP_MS,
  type TestMessage,
} from '#persistence';
import { Clock, isUserId, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { PeopleIndex } from '../bottles/people-index.js';
import { changedMeanwhile, type Precondition, preconditionFailed } from '../http/versions.js';
import type { Staff } from '../auth/staff.js';
import type { ContactDto } from './contact.dto.js';
import { nothingOfUser } from '../http/ids.js';
import { changedFields } from './changed-fields.js';
import { enteredContact, newId } from './entered-contact.js';
import { requireSteps } from './reminders.js';
import { type SendTestDto, type TestMessageDto, testView } from './test-message.dto.js';

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
   * @throws Problem 400 if no new user may have this id, or a step is none, and as {@link enteredContact}; 412
   */
  async put(
    userId: string,
    body: ContactDto,
    expected: Precondition,
  ): Promise<{ contact: Contact; isNew: boolean; changed: string[] | undefined }> {
    requireSteps(body.escalation ?? []);
    const now = this.clock.now();
    const before = await this.contacts.findByUser(userId);
    if (!before && !isUserId(userId)) throw nothingOfUser(userId, 'contact');
    const contact = enteredContact(userId, body, before, now);
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
    if (await this.contacts.delete(userId, expected)) return this.people.refresh([userId]);
    await this.get(userId);
    throw changedMeanwhile();
  }
}
