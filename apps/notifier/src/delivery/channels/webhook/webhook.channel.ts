import { isCanary, webhookBody } from '#domain';
import type { ContactDetails } from '#persistence';
import { Clock } from '#platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { NotifierConfig } from '../../../config.js';
import { type Channel, DeliveryError, type Notification, type OperatorEvent } from '../../channel.js';
import { isUnconnected } from '../unconnected.js';
import { PrivateAddressError, publicOnlyLookup, refusePrivateLiteral } from './private-addresses.js';

/** How long a receiver may take, from connecting to the end of its answer. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** How long connecting may take. Shorter, so that a receiver that hangs is not taken for one that is not there. */
const CONNECT_TIMEOUT_MS = 5_000;

const GONE = 410;
const SERVER_ERROR = 500;

/** What is posted; `headers` besides those of every request. */
interface Posted {
  body: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Posts notifications to `WEBHOOK_URL`, and those of canaries to `CANARY_WEBHOOK_URL`, signed as Standard Webhooks
 * specifies. Does not follow redirects.
 */
@Injectable()
export class WebhookChannel implements Channel, OnApplicationShutdown {
  readonly name = 'webhook';
  readonly digests = false;
  readonly concurrency = 100;
  readonly timeLimitMs = TIMEOUT_MS;
  readonly isSetUp: boolean;
  private readonly signers: Webhook[];
  private readonly agent: Agent;
  /** Watchdogs run beside the notifier, in a private network. */
  private readonly privateAgent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });

  constructor(
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {
    this.isSetUp = config.WEBHOOK_URL !== undefined;
    this.signers = (config.WEBHOOK_SECRET?.split(' ') ?? []).map((secret) => new Webhook(secret));
    const lookup = config.WEBHOOK_ALLOW_PRIVATE ? undefined : publicOnlyLookup;
    this.agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS, ...(lookup ? { lookup } : {}) } });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.agent.close(), this.privateAgent.close()]);
  }

  async answers(signal: AbortSignal): Promise<boolean> {
    const url = new URL(this.config.WEBHOOK_URL!);
    if (!this.config.WEBHOOK_ALLOW_PRIVATE) refusePrivateLiteral(url.hostname);
    const { statusCode, body } = await request(url, { method: 'HEAD', dispatcher: this.agent, signal });
    await body.dump();
    return statusCode < SERVER_ERROR;
  }

  async send(
    [{ delivery, message, traceparent }]: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<{ status?: number }> {
    const body = JSON.stringify(webhookBody(message, delivery, contact?.name));
    const headers = { ...this.signature(delivery._id, body), ...(traceparent && { traceparent }) };
    const posted = { body, headers, signal };
    if (isCanary(delivery.bottle_id)) return this.sendToWatchdogs(posted);
    const url = new URL(this.config.WEBHOOK_URL!);
    return this.post(url, posted, this.config.WEBHOOK_ALLOW_PRIVATE);
  }

  async sendTest(id: string, contact: ContactDetails, signal: AbortSignal): Promise<{ status?: number }> {
    if (!this.isSetUp || contact.webhook !== true)
      throw new DeliveryError('WEBHOOK_URL is not set, or the contact does not use the webhook', {
        permanent: true,
        unsent: true,
      });
    const body = JSON.stringify({ type: 'test', timestamp: this.clock.now().toISOString(), data: {} });
    const posted = { body, headers: this.signature(id, body), signal };
    return this.post(new URL(this.config.WEBHOOK_URL!), posted, this.config.WEBHOOK_ALLOW_PRIVATE);
  }

  async notifyOperator(id: string, event: OperatorEvent, signal: AbortSignal): Promise<void> {
    const body = JSON.stringify(event);
    const posted = { body, headers: this.signature(id, body), signal };
    await this.post(new URL(this.config.WEBHOOK_URL!), posted, this.config.WEBHOOK_ALLOW_PRIVATE);
  }

  /** Only the watchdog whose canary it is accepts it. */
  private async sendToWatchdogs(posted: Posted): Promise<{ status: number }> {
    const urls = this.config.CANARY_WEBHOOK_URL?.split(' ') ?? [];
    const attempts = urls.map((url) => this.post(new URL(url), posted, true));
    return Promise.any(attempts).catch((error: unknown) => {
      const errors = error instanceof AggregateError ? (error.errors as unknown[]) : [];
      throw (
        errors[0] ?? new DeliveryError('CANARY_WEBHOOK_URL is not set', { permanent: true, unsent: true })
      );
    });
  }

  /** @throws DeliveryError unless the receiver answers 2xx */
  private async post(
    url: URL,
    { body, headers, signal }: Posted,
    mayBePrivate: boolean,
  ): Promise<{ status: number }> {
    let status: number;
    try {
      if (!mayBePrivate) refusePrivateLiteral(url.hostname);
      const answer = await request(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'user-agent': 'pillwatch', ...headers },
        dispatcher: mayBePrivate ? this.privateAgent : this.agent,
        signal,
      });
      await answer.body.dump();
      status = answer.statusCode;
    } catch (error) {
      const permanent = error instanceof PrivateAddressError;
      throw new DeliveryError(describe(error), { permanent, unsent: permanent || isUnconnected(error) });
    }
    if (status >= 200 && status < 300) return { status };
    const refused = `the receiver answered ${status}`;
    throw new DeliveryError(refused, {
      permanent: status === GONE,
      status,
      ...(status === GONE && { refusal: { by: url.hostname, reply: refused } }),
    });
  }

  private signature(id: string, body: string): Record<string, string> {
    const now = this.clock.now();
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      ...(this.signers.length > 0
        ? { 'webhook-signature': this.signers.map((signer) => signer.sign(id, now, body)).join(' ') }
        : {}),
    };
  }
}

/** A code or a name: nothing that the other side may have written. */
function describe(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  // a DOMException's code is a number that says nothing
  return typeof code === 'string' ? code : (message ?? 'unknown error');
}
