import { Count, ListOf, Text, Time } from '../http/view.js';

export class SettingDto {
  @Text({ description: 'As in the environment.' })
  name: string;

  @Text()
  value: string;
}

/** How the notifications of a channel fare. */
export class ChannelHealthDto {
  @Text()
  channel: string;

  @Time({ nullable: true, description: 'Of the newest notifications, when the last one was delivered.' })
  last_delivered_at: Date | null;

  @Time({ nullable: true, description: 'Since when the longest due notification is due; null if none is.' })
  due_since: Date | null;

  @Count({ description: 'Notifications that failed for good, of those created in the last 24 hours.' })
  failed: number;
}

export class VersionDto {
  @Text()
  name: string;

  @Text()
  version: string;
}

export class SettingsDto {
  @ListOf(() => SettingDto, { description: 'What support-api is set to; no secrets.' })
  settings: SettingDto[];

  @ListOf(() => ChannelHealthDto)
  channels: ChannelHealthDto[];

  @ListOf(() => VersionDto)
  versions: VersionDto[];
}
