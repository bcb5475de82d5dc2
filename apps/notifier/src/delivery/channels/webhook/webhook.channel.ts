import type { ContactDetails } from '#persistence';
import { Clock } from '#platform';
import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { NotifierConfig } from '../../../config.js';
import { type Channel, DeliveryError, type Notification } from '../../channel.js';
import { PrivateAddressError, publicOnlyLookup, refusePrivateLiteral } from './private-addresses.js';

/** How long a receiver may take, from connecting to the end of its answer. Milliseconds. */
const TIMEOUT_MS = 10_000;

/** How long shutdown waits for answers; the next notifier sends the rest again, under the same id. Milliseconds. */
const STOP_PATIENCE_MS = 5_000;

const GONE = 410;

/** The receiver did not answer within {@link TIMEOUT_MS}. */
class TimeoutError extends Error {
  override readonly message = 'no answer in time';
}

/** Posts notifications to `WEBHOOK_URL`, signed as Standard Webhooks specifies. Does not follow redirects. */
@Injectable()
export class WebhookChannel implements Channel, OnModuleDestroy, OnApplicationShutdown {
  readonly name = 'webhook';
  readonly digests = false;
  readonly concurrency = 100;
  readonly timeLimitMs = TIMEOUT_MS;
  readonly servesOperator: boolean;
  private readonly signers: Webhook[];
  private readonly agent: Agent;
  private readonly underway = new Set<AbortController>();

  constructor(
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {
    this.servesOperator = config.WEBHOOK_URL !== undefined;
    this.signers = (config.WEBHOOK_SECRET?.split(' ') ?? []).map((secret) => new Webhook(secret));
    const lookup = config.WEBHOOK_ALLOW_PRIVATE ? undefined : publicOnlyLookup;
    this.agent = new Agent({ connect: { timeout: TIMEOUT_MS, ...(lookup ? { lookup } : {}) } });
  }

  /** The first hook of a shutdown: in the later ones the jobs already wait for us. */
  onModuleDestroy(): void {
    setTimeout(() => {
      for (const attempt of this.underway) attempt.abort();
    }, STOP_PATIENCE_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  serves({ webhook }: ContactDetails): boolean {
    return this.servesOperator && webhook === true;
  }

  async send([{ delivery, message }]: readonly [Notification, ...Notification[]]): Promise<{
    status?: number;
  }> {
    const status = await this.post(new URL(this.config.WEBHOOK_URL!), delivery._id, JSON.stringify(message));
    if (status >= 200 && status < 300) return { status };
    throw new DeliveryError(`the receiver answered ${status}`, status === GONE, status);
  }

  private async post(url: URL, id: string, body: string): Promise<number> {
    // not AbortSignal.any() of AbortSignal.timeout(): on Node 20 it can be collected before it fires, and never does
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(new TimeoutError()), TIMEOUT_MS);
    this.underway.add(attempt);
    try {
      if (!this.config.WEBHOOK_ALLOW_PRIVATE) refusePrivateLiteral(url.hostname);
      const answer = await request(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'pillwatch',
          ...this.signature(id, body),
        },
        dispatcher: this.agent,
        signal: attempt.signal,
      });
      await answer.body.dump();
      return answer.statusCode;
    } catch (error) {
      throw new DeliveryError(describe(error), error instanceof PrivateAddressError);
    } finally {
      clearTimeout(timer);
      this.underway.delete(attempt);
    }
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
