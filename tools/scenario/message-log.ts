import type { Clock } from '#platform';
import type { ReceivedMail } from '../harness/smtp-sink.js';
import type { ReceivedMessage } from '../harness/webhook-receiver.js';
import type { ChannelName } from './file/format.js';

/** A notification when it was first received. */
export interface LoggedMessage {
  id: string;
  at: Date;
  channel: ChannelName;
  /** The address of a mail. */
  to?: string;
  bottle_id: string;
  kind: string;
  event: string;
}

/** What the receivers of all channels got, repeated ids dropped, by the scenario's clock. */
export class MessageLog {
  /** What a receiver could not read. */
  readonly problems: string[] = [];
  /** How many messages came again. */
  repeats = 0;
  private readonly byId = new Map<string, LoggedMessage>();

  constructor(private readonly clock: Clock) {}

  get messages(): LoggedMessage[] {
    return [...this.byId.values()];
  }

  recordWebhook({ id, data: { bottle_id, kind, event } }: ReceivedMessage): void {
    this.record({ id, channel: 'webhook', bottle_id, kind, event });
  }

  /** A mail with several messages lists each in its headers, in the same order. */
  recordMail({ to, headers }: ReceivedMail): void {
    const [ids = [], bottles = [], kinds = [], events = []] = ['delivery', 'bottle', 'kind', 'event'].map(
      (name) => (headers.get(`x-pillwatch-${name}`) ?? '').split(',').map((text) => text.trim()),
    );
    ids.forEach((id, index) => {
      const [bottle_id, kind, event] = [bottles[index], kinds[index], events[index]];
      if (!id) this.problems.push('a mail without the header X-Pillwatch-Delivery');
      else if (!bottle_id || !kind || !event)
        this.problems.push(`mail ${id} lacks headers that describe its alert`);
      else this.record({ id, channel: 'email', to: to.join(), bottle_id, kind, event });
    });
  }

  private record(message: Omit<LoggedMessage, 'at'>): void {
    if (this.byId.has(message.id)) this.repeats += 1;
    else this.byId.set(message.id, { ...message, at: this.clock.now() });
  }
}
