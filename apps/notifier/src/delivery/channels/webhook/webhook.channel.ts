import { isCanary, WEBHOOK, webhookBody } from '#domain';
import { type ContactDetails, FIRST_ENDPOINT } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { NotifierConfig } from '../../../config.js';
import { type Channel, DeliveryError, type Notification, type OperatorEvent } from '../../channel.js';
import { EndpointHealth } from './endpoint-health.js';
import { GONE, type Posted, TIMEOUT_MS, WebhookSender } from './webhook-sender.js';

/**
 * Posts notifications to `WEBHOOK_URL`, the first of the operator's endpoints, and those of canaries to
 * `CANARY_WEBHOOK_URL`. It takes every kind, and is never paused or disabled.
 */
@Injectable()
export class WebhookChannel implements Channel {
  readonly name = WEBHOOK;
  readonly digests = false;
  readonly concurrency = 100;
  readonly timeLimitMs = TIMEOUT_MS;
  readonly isSetUp: boolean;
  private readonly signers: Webhook[];

  constructor(
    private readonly config: NotifierConfig,
    private readonly sender: WebhookSender,
    private readonly health: EndpointHealth,
    private readonly clock: Clock,
  ) {
    this.isSetUp = config.WEBHOOK_URL !== undefined;
    this.signers = (config.WEBHOOK_SECRET?.split(' ') ?? []).map((secret) => new Webhook(secret));
  }

  answers(signal: AbortSignal): Promise<boolean> {
    return this.sender.answers(this.config.WEBHOOK_URL!, signal);
  }

  async send(
    [{ delivery, message, traceparent }]: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<{ status?: number }> {
    const body = JSON.stringify(webhookBody(message, delivery, contact?.name));
    const posted = { id: delivery._id, body, signers: this.signers, traceparent, signal };
    return isCanary(delivery.bottle_id) ? this.sendToWatchdogs(posted) : this.post(posted);
  }

  async sendTest(
    id: string,
    _contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<{ status?: number }> {
    const body = JSON.stringify({ type: 'test', timestamp: this.clock.now().toISOString(), data: {} });
    return this.post({ id, body, signers: this.signers, signal });
  }

  async notifyOperator(id: string, event: OperatorEvent, signal: AbortSignal): Promise<void> {
    await this.post({ id, body: JSON.stringify(event), signers: this.signers, signal });
  }

  private async post(posted: Posted): Promise<{ status: number }> {
    const { WEBHOOK_URL: url } = this.config;
    if (url === undefined)
      throw new DeliveryError('WEBHOOK_URL is not set', { permanent: true, unsent: true });
    try {
      return await this.health.watch(FIRST_ENDPOINT, () => this.sender.post(url, posted));
    } catch (error) {
      if (!(error instanceof DeliveryError) || error.status !== GONE) throw error;
      const { message, status } = error;
      const refusal = { by: new URL(url).hostname, reply: message };
      throw new DeliveryError(message, { permanent: true, status, refusal });
    }
  }

  /** Only the watchdog whose canary it is accepts it. */
  private async sendToWatchdogs(posted: Posted): Promise<{ status: number }> {
    const urls = this.config.CANARY_WEBHOOK_URL?.split(' ') ?? [];
    const attempts = urls.map((url) => this.sender.post(url, posted, true));
    return Promise.any(attempts).catch((error: unknown) => {
      const errors = error instanceof AggregateError ? (error.errors as unknown[]) : [];
      throw (
        errors[0] ?? new DeliveryError('CANARY_WEBHOOK_URL is not set', { permanent: true, unsent: true })
      );
    });
  }
}
