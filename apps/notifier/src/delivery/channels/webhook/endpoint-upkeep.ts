import { derivedMessageId, endpointFails, type Say, sayIn, type WebhookType } from '#domain';
import {
  channelOfEndpoint,
  FIRST_ENDPOINT,
  holdOf,
  StaffRepository,
  type WebhookEndpoint,
  WebhookEndpointsRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { AttemptLimit } from '../../attempt-limit.js';
import { type Channel, DeliveryError, type OperatorEvent } from '../../channel.js';
import { failedTest, sendDueTests, type TestOutcome } from '../../due-tests.js';
import { Channels } from '../index.js';
import { Endpoints } from './endpoints.js';

/** Disables endpoints that fail for days, after a notice; sends their test messages. */
@Injectable()
export class EndpointUpkeep {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly endpoints: Endpoints,
    private readonly stored: WebhookEndpointsRepository,
    private readonly channels: Channels,
    private readonly staff: StaffRepository,
    private readonly limit: AttemptLimit,
    private readonly clock: Clock,
  ) {}

  async run(stopping: () => boolean = () => false): Promise<void> {
    await this.endpoints.refresh();
    await this.judge();
    await this.sendNotices();
    await this.sendTests(stopping);
  }

  private async judge(): Promise<void> {
    const now = this.clock.now();
    let isChanged = false;
    for (const endpoint of this.endpoints.stored) {
      const hold = holdOf(endpoint);
      const follows = endpointFails({ ...endpoint, ...(hold && { hold }) }, now);
      if (follows === 'notice') isChanged = (await this.stored.noteNoticed(endpoint, now)) || isChanged;
      // WEBHOOK_URL is the operator's setting, and the last to whom anything can be sent
      if (follows === 'disable' && !endpoint._id.equals(FIRST_ENDPOINT))
        isChanged = (await this.stored.disable(endpoint, now)) || isChanged;
    }
    if (isChanged) await this.endpoints.refresh();
  }

  /** Notifies the other endpoints, and admins by e-mail. The console shows it for as long as it is so. */
  private async sendNotices(): Promise<void> {
    while (this.endpoints.stored.some(({ notice_due }) => notice_due)) {
      const endpoint = await this.stored.claimNotice();
      if (!endpoint) return;
      const isDisabled = endpoint.notice_due === 'endpoint.disabled';
      this.logger.warn(
        `endpoint ${endpoint._id.toHexString()} ${isDisabled ? 'is disabled' : 'fails for days'}`,
      );
      const event = eventOf(endpoint, this.clock.now());
      const id = derivedMessageId('endpoint', endpoint._id.toHexString(), event.type, event.timestamp);
      const others = this.channels.all.filter(
        (one) => one.name !== channelOfEndpoint(endpoint) && one.isSetUp && (one.wants?.(event.type) ?? true),
      );
      for (const channel of others)
        if (channel.notifyOperator)
          await this.attempt(channel, (signal) => channel.notifyOperator!(id, event, signal));
      for (const channel of others)
        if (channel.notifyStaff)
          for (const admin of await this.staff.findActiveAdmins())
            await this.attempt(channel, (signal) =>
              channel.notifyStaff!(admin, textOf(endpoint, isDisabled, sayIn(admin.language)), signal),
            );
    }
  }

  private async attempt(channel: Channel, send: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await this.limit.run(channel.timeLimitMs, send);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      this.logger.warn(`a notice of an endpoint was not sent by ${channel.name}: ${error.message}`);
    }
  }

  private async sendTests(stopping: () => boolean): Promise<void> {
    if (!this.endpoints.stored.some(({ test }) => test?.due_at)) return;
    await sendDueTests(
      this.stored,
      (endpoint, { id }) => this.sendTest(channelOfEndpoint(endpoint), id),
      this.clock,
      stopping,
    );
  }

  /** A paused or disabled endpoint gets it, too: staff see whether it works again. */
  private async sendTest(name: string, id: string): Promise<TestOutcome> {
    const channel = this.channels.all.find((one) => one.name === name);
    if (!channel?.sendTest) return { error: 'there is no such endpoint any more' };
    try {
      const { status } = await this.limit.run(channel.timeLimitMs, (signal) =>
        channel.sendTest!(id, undefined, signal),
      );
      return status === undefined ? {} : { status };
    } catch (error) {
      return failedTest(error);
    }
  }
}

/** An endpoint as people know it: its host, and what staff call it. */
function nameOf({ url, description }: WebhookEndpoint): string {
  const host = url === undefined ? 'WEBHOOK_URL' : new URL(url).host;
  return description === undefined ? host : `${host} (${description})`;
}

function eventOf(endpoint: WebhookEndpoint, now: Date): OperatorEvent {
  const { _id, url, description, failing_since, notice_due, disabled_at } = endpoint;
  return {
    type: notice_due as WebhookType,
    timestamp: now.toISOString(),
    data: {
      endpoint_id: _id.toHexString(),
      host: url === undefined ? null : new URL(url).host,
      ...(description !== undefined && { description }),
      ...(failing_since && { failing_since: failing_since.toISOString() }),
      ...(disabled_at && { disabled_at: disabled_at.toISOString() }),
    },
  };
}

function textOf(
  endpoint: WebhookEndpoint,
  isDisabled: boolean,
  say: Say,
): { title: string; lines: string[] } {
  const name = nameOf(endpoint);
  const since =
    endpoint.failing_since &&
    say('No message has arrived there since {{time}}.', { time: endpoint.failing_since.toISOString() });
  const isFirst = endpoint._id.equals(FIRST_ENDPOINT);
  const then = isDisabled
    ? say(
        'Nothing is sent there any more. What is owed to it waits. When it works again, enable it in the settings of the console.',
      )
    : isFirst
      ? say('It is tried further. Check the receiver.')
      : say(
          'If none arrives until then, it is disabled in a day. Check the receiver, or send it a test message in the settings of the console.',
        );
  return {
    title: isDisabled
      ? say('Webhook endpoint disabled: {{name}}', { name })
      : say('Webhook endpoint fails: {{name}}', { name }),
    lines: [...(since ? [since] : []), then],
  };
}
