import type { Provider, Type } from '@nestjs/common';
import type { Channel } from '../channel.js';
import { ConsoleChannel } from './console/console.channel.js';
import { EmailChannel } from './email/email.channel.js';
import { PushChannel } from './push/push.channel.js';
import { StaffBrowsers } from './push/staff-browsers.js';
import { SmsChannel } from './sms/sms.channel.js';
import { EndpointHealth } from './webhook/endpoint-health.js';
import { Endpoints } from './webhook/endpoints.js';
import { WebhookChannel } from './webhook/webhook.channel.js';
import { WebhookSender } from './webhook/webhook-sender.js';

/** Every channel. A new one is a folder beside this file and a line here. */
const CHANNELS: Type<Channel>[] = [WebhookChannel, ConsoleChannel, EmailChannel, SmsChannel, PushChannel];

/** The channels of this notifier, in the order of the list above; then the endpoints of webhooks that staff have added. */
export class Channels {
  constructor(
    private readonly own: readonly Channel[],
    private readonly endpoints: Endpoints,
  ) {}

  get all(): Channel[] {
    return [...this.own, ...this.endpoints.channels];
  }

  /** The names of those over which messages go by the settings. */
  get setUp(): string[] {
    return this.own.filter(({ isSetUp }) => isSetUp).map(({ name }) => name);
  }
}

export const channelProviders: Provider[] = [
  WebhookSender,
  EndpointHealth,
  Endpoints,
  StaffBrowsers,
  ...CHANNELS,
  {
    provide: Channels,
    useFactory: (endpoints: Endpoints, ...channels: Channel[]) => new Channels(channels, endpoints),
    inject: [Endpoints, ...CHANNELS],
  },
];
