import { type Endpoint, webhookBody, type WebhookType, wantsType } from '#domain';
import type { ContactDetails, WebhookEndpoint } from '#persistence';
import type { Webhook } from 'standardwebhooks';
import { type Channel, DeliveryError, type Notification, type OperatorEvent } from '../../channel.js';
import type { EndpointHealth } from './endpoint-health.js';
import { GONE, type Posted, TIMEOUT_MS, type WebhookSender } from './webhook-sender.js';

/** An endpoint as it is stored, and what follows from it. */
export interface OpenedEndpoint {
  stored: WebhookEndpoint;
  /** What decides what goes there; undefined of one that is deleted. */
  endpoint: Endpoint | undefined;
  /** Undefined if its secret cannot be read. */
  signers: readonly Webhook[] | undefined;
}

/** Posts notifications to an endpoint that staff have added. One that fails holds up no other: each is a channel. */
export class EndpointChannel implements Channel {
  readonly digests = false;
  readonly concurrency = 20;
  readonly timeLimitMs = TIMEOUT_MS;
  opened: OpenedEndpoint;

  constructor(
    readonly name: string,
    opened: OpenedEndpoint,
    private readonly sender: WebhookSender,
    private readonly health: EndpointHealth,
    private readonly onRefusal: (endpoint: WebhookEndpoint) => Promise<void>,
    private readonly now: () => Date,
  ) {
    this.opened = opened;
  }

  get hold(): Endpoint['hold'] {
    return this.opened.endpoint?.hold;
  }

  get isSetUp(): boolean {
    return this.opened.endpoint !== undefined && this.hold === undefined;
  }

  wants(type: WebhookType): boolean {
    return this.isSetUp && wantsType(this.opened.endpoint!, type);
  }

  /** Not asked while it takes nothing. */
  async answers(signal: AbortSignal): Promise<boolean> {
    const { url } = this.opened.stored;
    return this.isSetUp && url !== undefined && this.sender.answers(url, signal);
  }

  async send(
    [{ delivery, message, traceparent }]: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<{ status?: number }> {
    const body = JSON.stringify(webhookBody(message, delivery, contact?.name));
    return this.post({ id: delivery._id, body, traceparent, signal });
  }

  async sendTest(
    id: string,
    _contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<{ status?: number }> {
    return this.post({
      id,
      body: JSON.stringify({ type: 'test', timestamp: this.now().toISOString(), data: {} }),
      signal,
    });
  }

  async notifyOperator(id: string, event: OperatorEvent, signal: AbortSignal): Promise<void> {
    await this.post({ id, body: JSON.stringify(event), signal });
  }

  private async post(posted: Omit<Posted, 'signers'>): Promise<{ status: number }> {
    const { stored, signers } = this.opened;
    return this.health.watch(stored._id, async () => {
      if (stored.url === undefined) throw new DeliveryError('the endpoint is deleted', { unsent: true });
      if (!signers)
        throw new DeliveryError('its secret cannot be read: LINK_SECRET is another; replace the secret', {
          unsent: true,
        });
      try {
        return await this.sender.post(stored.url, { ...posted, signers });
      } catch (error) {
        if (!(error instanceof DeliveryError) || error.status !== GONE) throw error;
        // Standard Webhooks: it wants nothing any more. What is owed to it waits, so that nothing is lost by mistake.
        await this.onRefusal(stored);
        throw new DeliveryError(error.message, { status: GONE });
      }
    });
  }
}
