import { BooleanField, InstantField, ListField, NumberField, TextField } from '#platform';

export class SettingDto {
  @TextField({ description: 'As in the environment.' })
  name: string;

  @TextField()
  value: string;
}

/** How the notifications of a channel fare. */
export class ChannelHealthDto {
  @TextField()
  channel: string;

  @BooleanField({
    nullable: true,
    description: 'Whether every notifier that runs can send over it, by its settings; null if none runs.',
  })
  set_up: boolean | null;

  @InstantField({
    nullable: true,
    description: 'Of the newest notifications, when the last one was delivered.',
  })
  last_delivered_at: Date | null;

  @InstantField({
    nullable: true,
    description: 'Since when the longest due notification is due; null if none is.',
  })
  due_since: Date | null;

  @NumberField({ description: 'Notifications that failed for good, of those created in the last 24 hours.' })
  failed: number;
}

export class VersionDto {
  @TextField()
  name: string;

  @TextField()
  version: string;
}

export class SettingsDto {
  @ListField(() => SettingDto, { description: 'What support-api is set to; no secrets.' })
  settings: SettingDto[];

  @ListField(() => ChannelHealthDto)
  channels: ChannelHealthDto[];

  @ListField(() => VersionDto)
  versions: VersionDto[];
}
