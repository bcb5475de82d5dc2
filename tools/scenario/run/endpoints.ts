import { WebhookReceiver } from '../../harness/webhook-receiver.js';
import type { EndpointSpec } from '../file/format.js';
import type { Services } from './services.js';
import type { StaffClient } from './staff-client.js';

interface Receiving {
  receiver: WebhookReceiver;
  /** Of its notifications. */
  channel: string;
}

/** The endpoints of webhooks that a scenario adds to that of the setting, each with a receiver that checks its signature. */
export class ScenarioEndpoints {
  private readonly byName = new Map<string, Receiving>();

  /** Adds them as an admin does. */
  async add(specs: readonly EndpointSpec[], staff: StaffClient, { log }: Services): Promise<void> {
    for (const { name, ...wanted } of specs) {
      const receiver = await WebhookReceiver.start({
        onMessage: (message) => log.recordWebhook(message, name),
        onInvalid: (problem) => void log.problems.push(`${name}: ${problem}`),
      });
      const { channel, secret } = await staff.addEndpoint({ url: receiver.url, ...wanted });
      receiver.checkSignatures(secret);
      this.byName.set(name, { receiver, channel });
    }
  }

  /** The channels whose receivers answer when they are asked. */
  get answering(): string[] {
    const working = [...this.byName.values()].filter(({ receiver }) => receiver.behaviour === 'works');
    return working.map(({ channel }) => channel);
  }

  receiverOf(name: string): WebhookReceiver {
    return this.byName.get(name)!.receiver;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.byName.values()].map(({ receiver }) => receiver.stop()));
  }
}
