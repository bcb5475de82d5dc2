import { Clock } from '#platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { NotifierConfig } from '../../../config.js';
import { DeliveryError } from '../../channel.js';
import { isUnconnected } from '../unconnected.js';
import { PrivateAddressError, publicOnlyLookup, refusePrivateLiteral } from '../private-addresses.js';

/** How long a receiver may take, from connecting to the end of its answer. Milliseconds. */
export const TIMEOUT_MS = 10_000;
/** How long connecting may take. Shorter, so that a receiver that hangs is not taken for one that is not there. */
const CONNECT_TIMEOUT_MS = 5_000;

export const GONE = 410;
const SERVER_ERROR = 500;

/** What is posted. */
export interface Posted {
  /** The same in each attempt. */
  id: string;
  body: string;
  /** Each signs it. */
  signers: readonly Webhook[];
  traceparent?: string | undefined;
  signal: AbortSignal;
}

/** Posts to receivers as Standard Webhooks specifies. Does not follow redirects, nor connect to private addresses. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly agent: Agent;
  /** Watchdogs run beside the notifier, in a private network. */
  private readonly privateAgent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });

  constructor(
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {
    const lookup = config.WEBHOOK_ALLOW_PRIVATE ? undefined : publicOnlyLookup;
    this.agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS, ...(lookup ? { lookup } : {}) } });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.agent.close(), this.privateAgent.close()]);
  }

  /** Whether a receiver answers, without a message. A rejection means no. */
  async answers(address: string, signal: AbortSignal): Promise<boolean> {
    const url = new URL(address);
    if (!this.config.WEBHOOK_ALLOW_PRIVATE) refusePrivateLiteral(url.hostname);
    const { statusCode, body } = await request(url, { method: 'HEAD', dispatcher: this.agent, signal });
    await body.dump();
    return statusCode < SERVER_ERROR;
  }

  /** @throws DeliveryError unless the receiver answers 2xx */
  async post(
    address: string,
    { id, body, signers, traceparent, signal }: Posted,
    mayBePrivate = this.config.WEBHOOK_ALLOW_PRIVATE,
  ): Promise<{ status: number }> {
    let status: number;
    try {
      const url = new URL(address);
      if (!mayBePrivate) refusePrivateLiteral(url.hostname);
      const answer = await request(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'pillwatch',
          ...this.signature(id, body, signers),
          ...(traceparent !== undefined && { traceparent }),
        },
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
    throw new DeliveryError(`the receiver answered ${status}`, { permanent: status === GONE, status });
  }

  private signature(id: string, body: string, signers: readonly Webhook[]): Record<string, string> {
    const now = this.clock.now();
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      ...(signers.length > 0 && {
        'webhook-signature': signers.map((signer) => signer.sign(id, now, body)).join(' '),
      }),
    };
  }
}

/** A code or a name: nothing that the other side may have written. */
function describe(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  // a DOMException's code is a number that says nothing
  return typeof code === 'string' ? code : (message ?? 'unknown error');
}
