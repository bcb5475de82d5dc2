import { DAY_MS, sayIn, smsOf, phrasesIn } from '#domain';
import { addressOver, type ContactDetails } from '#persistence';
import { linkAddress, signLink } from '#platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { NotifierConfig } from '../../../config.js';
import { type Channel, DeliveryError, type Notification, type Sent } from '../../channel.js';
import { isUnconnected } from '../unconnected.js';
import type { Sms, SmsGateway } from './gateway.js';
import { KannelGateway } from './kannel.gateway.js';
import { TwilioGateway } from './twilio.gateway.js';

/** How long a gateway may take, from connecting to the end of its answer. Milliseconds. */
const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Networks try for days to deliver a message. */
const RECEIPT_LIFETIME_MS = 7 * DAY_MS;
/** What is read of an answer. Bytes. */
const MOST_READ = 4_096;

/** Sends SMS through a gateway of the operator's, which may be in a private network. One notification is one SMS. */
@Injectable()
export class SmsChannel implements Channel, OnApplicationShutdown {
  readonly name = 'sms';
  readonly digests = false;
  readonly limitsAddresses = true;
  readonly concurrency = 50;
  readonly timeLimitMs = TIMEOUT_MS;
  readonly isSetUp: boolean;
  /** Absent without a gateway. */
  readonly verifyAddress: Channel['verifyAddress'];
  private readonly gateway: SmsGateway | undefined;
  private readonly agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });

  constructor(private readonly config: NotifierConfig) {
    const { SMS_URL, SMS_FROM, SMS_GATEWAY } = config;
    this.isSetUp = SMS_URL !== undefined;
    if (SMS_URL === undefined) return;
    this.gateway =
      SMS_GATEWAY === 'twilio' ? new TwilioGateway(SMS_URL, SMS_FROM) : new KannelGateway(SMS_URL, SMS_FROM);
    this.verifyAddress = (to, link, language, signal) => {
      const text = sayIn(language)(
        'Somebody has entered this number to receive messages. To receive them, open this page and press its button: {{link}} If you do not know what this is about, ignore it: nothing else will be sent.',
        { link },
      );
      return this.handOver({ to, text }, signal);
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  async answers(signal: AbortSignal): Promise<boolean> {
    if (!this.gateway) return false;
    const { statusCode, body } = await request(this.gateway.asked, { dispatcher: this.agent, signal });
    await body.dump();
    return statusCode < 500;
  }

  async send(
    [{ delivery, message, at }]: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<Sent> {
    const to = contact && addressOver(this.name, contact);
    if (contact === undefined || to === undefined)
      throw new DeliveryError('the contact no longer has a verified number', {
        permanent: true,
        unsent: true,
      });
    const { SMS_NAMES_MEDICATION: namesMedication, SMS_INCOMING_KEY } = this.config;
    const takesReplies = SMS_INCOMING_KEY !== undefined;
    const phrases = phrasesIn(contact.language, contact.time_zone);
    const text = smsOf(message, phrases, { namesMedication, takesReplies });
    const receipts = this.receiptsOf(delivery._id, at, to);
    return this.handOver({ to, text, receipts }, signal);
  }

  private get takesReceipts(): boolean {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    return PUBLIC_URL !== undefined && LINK_SECRET !== undefined;
  }

  /** Where receipts for an attempt are taken; undefined without PUBLIC_URL and LINK_SECRET. */
  private receiptsOf(id: string, at: Date, to: string): string | undefined {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    if (PUBLIC_URL === undefined || LINK_SECRET === undefined) return undefined;
    const expires_at = new Date(at.getTime() + RECEIPT_LIFETIME_MS);
    const token = signLink(LINK_SECRET, { id: `${id}:${at.getTime()}`, expires_at }, to);
    return linkAddress(PUBLIC_URL, 'sms/receipts', token);
  }

  async sendTest(_id: string, contact: ContactDetails, signal: AbortSignal): Promise<Sent> {
    const to = addressOver(this.name, contact);
    if (to === undefined)
      throw new DeliveryError('there is no verified number', { permanent: true, unsent: true });
    const text = sayIn(contact.language)(
      'This is a test. Messages reach this number. There is nothing to do.',
    );
    return this.handOver({ to, text }, signal);
  }

  /** @throws DeliveryError unless the gateway takes it */
  private async handOver(sms: Sms, signal: AbortSignal): Promise<Sent> {
    if (!this.gateway) throw new DeliveryError('SMS_URL is not set', { permanent: true, unsent: true });
    let [status, text] = [0, ''];
    try {
      const { url, ...options } = this.gateway.request(sms);
      const answer = await request(url, { ...options, dispatcher: this.agent, signal });
      text = await beginningOf(answer.body);
      status = answer.statusCode;
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      throw new DeliveryError(describe(error), { unsent: isUnconnected(error) });
    }
    if (status >= 200 && status < 300) return { status, ...(this.takesReceipts && { awaitsReceipt: true }) };
    throw this.gateway.failureOf(status, text);
  }
}

/** The rest is read, too, and dropped: whatever the other side sends, it ends with the attempt. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (length < MOST_READ) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).toString().slice(0, MOST_READ);
}

/** A code or a name: an error's message may contain the address that was asked, and with it the password. */
function describe(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : (name ?? 'unknown error');
}
