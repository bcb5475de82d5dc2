import type { Endpoint } from '#domain';
import {
  channelOfEndpoint,
  endpointsOf,
  FIRST_ENDPOINT,
  secretOwner,
  type WebhookEndpoint,
  WebhookEndpointsRepository,
} from '#persistence';
import { Clock, sealWith, unsealWith } from '#platform';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { NotifierConfig } from '../../../config.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointChannel, type OpenedEndpoint } from './endpoint.channel.js';
import { WebhookSender } from './webhook-sender.js';

/** The endpoints of webhooks, as they were when they were last read: a change holds a second later. */
@Injectable()
export class Endpoints implements OnModuleInit {
  private readonly logger = new Logger('Webhooks');
  private readonly byName = new Map<string, EndpointChannel>();
  /** Those to which messages go, by what they want, the one of `WEBHOOK_URL` first. */
  current: readonly Endpoint[] = [];
  /** What is stored of them, and of the one of `WEBHOOK_URL`. */
  stored: readonly WebhookEndpoint[] = [];

  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly sender: WebhookSender,
    private readonly health: EndpointHealth,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  /** The channels of those that staff have added, deleted ones included: what waits for those is moved on. */
  get channels(): readonly EndpointChannel[] {
    return [...this.byName.values()];
  }

  async refresh(): Promise<void> {
    const stored = await this.endpoints.findAll();
    this.stored = stored;
    this.current = endpointsOf(stored, this.config.WEBHOOK_URL !== undefined);
    this.health.know(stored.filter(({ failing_since }) => failing_since).map(({ _id }) => _id.toHexString()));
    const added = stored.filter(({ _id }) => !_id.equals(FIRST_ENDPOINT));
    const names = new Set(added.map(channelOfEndpoint));
    for (const name of this.byName.keys()) if (!names.has(name)) this.byName.delete(name);
    for (const endpoint of added) {
      const name = channelOfEndpoint(endpoint);
      const opened = await this.open(endpoint, name);
      const channel = this.byName.get(name);
      if (channel) channel.opened = opened;
      else this.byName.set(name, this.channelOf(name, opened));
    }
  }

  private channelOf(name: string, opened: OpenedEndpoint): EndpointChannel {
    const { sender, health } = this;
    const disable = (endpoint: WebhookEndpoint): Promise<void> => this.disable(endpoint);
    return new EndpointChannel(name, opened, sender, health, disable, () => this.clock.now());
  }

  /** It answered 410. */
  private async disable(endpoint: WebhookEndpoint): Promise<void> {
    this.logger.warn(`endpoint ${endpoint._id.toHexString()} answered 410: it is disabled`);
    await this.endpoints.disableRefusing(endpoint._id, this.clock.now());
    await this.refresh();
  }

  private async open(stored: WebhookEndpoint, name: string): Promise<OpenedEndpoint> {
    const endpoint = this.current.find(({ channel }) => channel === name);
    const { LINK_SECRET: key } = this.config;
    const { secret, old_secret } = stored;
    if (key === undefined || secret === undefined) return { stored, endpoint, signers: undefined };
    const owner = secretOwner(stored);
    const isOldValid = old_secret && old_secret.until > this.clock.now();
    const [newest, old] = [
      unsealWith(key, owner, secret),
      isOldValid ? unsealWith(key, owner, old_secret.sealed) : undefined,
    ];
    if (!newest) return { stored, endpoint, signers: undefined };
    if (!newest.isCurrent || old?.isCurrent === false)
      await this.endpoints.reseal(stored, {
        secret: sealWith(key, owner, newest.text),
        ...(old && { old_secret: { sealed: sealWith(key, owner, old.text), until: old_secret!.until } }),
      });
    const signers = [newest.text, ...(old ? [old.text] : [])].map((text) => new Webhook(text));
    return { stored, endpoint, signers };
  }
}
