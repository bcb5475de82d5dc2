import type { Clock } from '#platform';
import type { ReceivedMail } from '../harness/smtp-sink.js';
import type { ReceivedMessage } from '../harness/webhook-receiver.js';
import type { Content, WebhookBody } from './content/content.js';
import { readMail } from './content/read-mail.js';
import type { ChannelName } from './file/format.js';

/** A notification when it was first received. */
export interface LoggedMessage {
  id: string;
  at: Date;
  channel: ChannelName;
  /** The address of a mail, or the name of an endpoint. */
  to: string;
  bottle_id: string;
  kind: string;
  event: string;
  content: Content;
}

/** The name of the endpoint of the settings. */
export const WEBHOOK_URL = 'WEBHOOK_URL';
/** What people get who have entered an address that nobody has confirmed. */
const CONFIRMATION = 'Please confirm your e-mail address';

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

  /** @param to the name of the endpoint */
  recordWebhook(message: ReceivedMessage, to = WEBHOOK_URL): void {
    const { id } = message;
    const body = message as unknown as WebhookBody;
    const { bottle_id, kind, event, alert_id } = body.data;
    const content = { alert: alert_id, body };
    this.record({ id, channel: 'webhook', to, bottle_id, kind, event, content });
  }

  /** A mail with several messages lists each in its headers, in the same order. */
  recordMail({ to, subject, headers, raw }: ReceivedMail): void {
    if (subject === CONFIRMATION) return;
    const [ids = [], bottles = [], kinds = [], events = [], alerts = []] = [
      'delivery',
      'bottle',
      'kind',
      'event',
      'alert',
    ].map((name) => (headers.get(`x-pillwatch-${name}`) ?? '').split(',').map((text) => text.trim()));
    const parts = readMail(raw, subject, ids);
    if (parts.length !== ids.length)
      this.problems.push(`mail ${ids.join()} has ${parts.length} parts for ${ids.length} messages`);
    ids.forEach((id, index) => {
      const [bottle_id, kind, event, alert, mail] = [
        bottles[index],
        kinds[index],
        events[index],
        alerts[index],
        parts[index],
      ];
      if (!id) this.problems.push('a mail without the header X-Pillwatch-Delivery');
      else if (!bottle_id || !kind || !event || !alert || !mail)
        this.problems.push(`mail ${id} lacks headers that describe its alert`);
      else
        this.record({
          id,
          channel: 'email',
          to: to.join(),
          bottle_id,
          kind,
          event,
          content: { alert, mail },
        });
    });
  }

  private record(message: Omit<LoggedMessage, 'at'>): void {
    if (this.byId.has(message.id)) this.repeats += 1;
    else this.byId.set(message.id, { ...message, at: this.clock.now() });
  }
}
