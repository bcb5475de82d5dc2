import type { Clock } from '#platform';
import type { ShownPush } from '../harness/push-receiver.js';
import type { ReceivedSms } from '../harness/sms-receiver.js';
import type { ReceivedMail } from '../harness/smtp-sink.js';
import type { ReceivedMessage } from '../harness/webhook-receiver.js';
import type { Content, WebhookBody } from './content/content.js';
import { readMail } from './content/read-mail.js';
import type { ReceivedOver } from './file/format.js';

/** A notification when it was first received. */
export interface LoggedMessage {
  id: string;
  at: Date;
  channel: ReceivedOver;
  /** The address of a mail, a number, or the name of an endpoint or of a browser of staff. */
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

/** What a notification is about, as the outbox has it: what an SMS or a push says is compared with that. */
export type Outbox = (
  wanted: { id: string } | { alert: string; to: string },
) => Promise<{ id: string; bottle_id: string; kind: string; event: string; alert: string } | undefined>;

/** What the receivers of all channels got, repeated ids dropped, by the scenario's clock. */
export class MessageLog {
  /** What a receiver could not read. */
  readonly problems: string[] = [];
  /** How many messages came again. */
  repeats = 0;
  private readonly byId = new Map<string, LoggedMessage>();

  constructor(
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

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

  /** The address for its receipts has the id of its notification. */
  async recordSms({ to, text, receipts }: ReceivedSms): Promise<void> {
    const at = this.clock.now();
    const token = /\/sms\/receipts\/([\w-]+)/.exec(receipts ?? '')?.[1];
    // what asks for a confirmation has none
    if (token === undefined) return;
    const [claim] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [string];
    const found = await this.outbox({ id: claim.split(':')[0]! });
    if (!found) return void this.problems.push(`an SMS to ${to} belongs to no notification: ${text}`);
    const { id, bottle_id, kind, event, alert } = found;
    const [title = '', ...lines] = text.split('\n');
    this.record(
      { id, channel: 'sms', to, bottle_id, kind, event, content: { alert, sms: { title, lines } } },
      at,
    );
  }

  /** Of an alert one message at a time is sent to a browser of staff: that is the one. */
  async recordPush({ title, tag, url }: ShownPush, to: string, recipient: string): Promise<void> {
    const at = this.clock.now();
    const found = await this.outbox({ alert: tag, to: recipient });
    if (!found) return void this.problems.push(`what ${to} shows belongs to no notification: ${title}`);
    const { id, bottle_id, kind, event, alert } = found;
    this.record(
      { id, channel: 'push', to, bottle_id, kind, event, content: { alert, push: { title, url } } },
      at,
    );
  }

  private record(message: Omit<LoggedMessage, 'at'>, at = this.clock.now()): void {
    if (this.byId.has(message.id)) this.repeats += 1;
    else this.byId.set(message.id, { ...message, at });
  }
}
