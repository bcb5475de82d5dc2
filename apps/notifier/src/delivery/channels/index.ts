import type { Provider, Type } from '@nestjs/common';
import type { Channel } from '../channel.js';
import { ConsoleChannel } from './console/console.channel.js';
import { EmailChannel } from './email/email.channel.js';
import { PushChannel } from './push/push.channel.js';
import { SmsChannel } from './sms/sms.channel.js';
import { WebhookChannel } from './webhook/webhook.channel.js';

/** Every channel. A new one is a folder beside this file and a line here. */
const CHANNELS: Type<Channel>[] = [WebhookChannel, ConsoleChannel, EmailChannel, SmsChannel, PushChannel];

/** The channels of this notifier, in the order of the list above. */
export class Channels {
  constructor(readonly all: readonly Channel[]) {}

  /** The names of those over which messages go. */
  get setUp(): string[] {
    return this.all.filter(({ isSetUp }) => isSetUp).map(({ name }) => name);
  }
}

export const channelProviders: Provider[] = [
  ...CHANNELS,
  {
    provide: Channels,
    useFactory: (...channels: Channel[]) => new Channels(channels),
    inject: CHANNELS,
  },
];
