import { isEndpointChannel, recipientOf, WEBHOOK } from '#domain';
import {
  addressOver,
  type Contact,
  contactDetailsOf,
  ContactsRepository,
  isPaused,
  type TestMessage,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { AddressHealth } from './address-health.js';
import { AttemptLimit } from './attempt-limit.js';
import { type Channel, DeliveryError } from './channel.js';
import { Channels } from './channels/index.js';
import { failedTest, sendDueTests, type TestOutcome } from './due-tests.js';

/** Sends the test messages that staff ask for, over the real channels, and stores the result: one attempt each. */
@Injectable()
export class TestMessages {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly channels: Channels,
    private readonly limit: AttemptLimit,
    private readonly health: AddressHealth,
    private readonly clock: Clock,
  ) {}

  /** Sends those that are due. */
  async run(stopping: () => boolean = () => false): Promise<void> {
    await sendDueTests(
      this.contacts,
      (contact, test, now) => this.attempt(contact, test, now),
      this.clock,
      stopping,
    );
  }

  private async attempt(
    contact: Contact,
    { id, to, channel: name }: TestMessage,
    now: Date,
  ): Promise<TestOutcome> {
    const channel = this.channels.all.find((one) => isOver(name, one));
    const details = contactDetailsOf(recipientOf(to, contact._id), contact);
    if (!channel?.sendTest || !details || addressOver(name, details) === undefined)
      return { error: 'the contact has no such address any more' };
    // the person may have replied STOP since it was asked for
    if (isPaused(name, details)) return { error: 'the person has paused the messages there' };
    const recipient = recipientOf(to, contact._id);
    const address = addressOver(name, details) || undefined;
    try {
      const { status, awaitsReceipt } = await this.limit.run(channel.timeLimitMs, (signal) =>
        channel.sendTest!(id, details, signal),
      );
      if (!awaitsReceipt) await this.health.healed({ recipient, channel: name }, address);
      return status === undefined ? {} : { status };
    } catch (error) {
      if (error instanceof DeliveryError && error.refusal)
        await this.health.refused({ recipient, channel: name }, address, error.refusal, now);
      return failedTest(error);
    }
  }
}

/** Whether a test over a channel goes there: over the webhook, to the first endpoint that takes messages. */
function isOver(name: string, channel: Channel): boolean {
  return name === WEBHOOK ? isEndpointChannel(channel.name) && channel.isSetUp : channel.name === name;
}
