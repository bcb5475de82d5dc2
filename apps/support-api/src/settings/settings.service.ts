import { DAY_MS } from '#domain';
import { CONTACT_CHANNELS, CoverageRepository, DatabaseStatus, ReceiversRepository } from '#persistence';
import { Clock, productVersion } from '#platform';
import { Injectable } from '@nestjs/common';
import ms from 'ms';
import { SupportApiConfig } from '../config.js';
import { isSetUp } from './set-up.js';
import type { ChannelHealthDto, SettingDto, SettingsDto } from './settings.dto.js';

/** Every service has the same ones. */
const DURATIONS = [
  'SILENT_BOTTLE_AFTER',
  'OPEN_BOTTLE_AFTER',
  'HEARTBEAT_RETENTION',
  'SESSION_IDLE_TIMEOUT',
] as const;
const OTHERS = [
  'BATTERY_LOW_PERCENT',
  'MAIL_NAMES_MEDICATION',
  'SMS_NAMES_MEDICATION',
  'SECOND_FACTOR',
  'PUBLIC_URL',
] as const;

/** What the service is set to, and how it fares. */
@Injectable()
export class SettingsService {
  private readonly version = productVersion();

  constructor(
    private readonly config: SupportApiConfig,
    private readonly receivers: ReceiversRepository,
    private readonly coverage: CoverageRepository,
    private readonly database: DatabaseStatus,
    private readonly clock: Clock,
  ) {}

  async get(): Promise<SettingsDto> {
    const [channels, database] = await Promise.all([this.channels(), this.database.readVersion()]);
    return {
      settings: this.settings(),
      channels,
      versions: [
        { name: 'Pillwatch', version: this.version },
        { name: 'Node.js', version: process.versions.node },
        { name: 'MongoDB', version: database },
      ],
    };
  }

  private settings(): SettingDto[] {
    return [
      ...DURATIONS.map((name) => ({ name, value: ms(this.config[name]) })),
      ...OTHERS.map((name) => ({ name, value: String(this.config[name] ?? 'not set') })),
    ];
  }

  private async channels(): Promise<ChannelHealthDto[]> {
    const now = this.clock.now();
    const [notifiers, due, health] = await Promise.all([
      this.coverage.findNotifiersChannels(now),
      this.receivers.findOldestDue(now),
      this.receivers.findHealth(new Date(now.getTime() - DAY_MS)),
    ]);
    return [...new Set([...CONTACT_CHANNELS, ...due.keys(), ...health.keys()])].map((channel) => ({
      channel,
      set_up: isSetUp(channel, notifiers),
      last_delivered_at: health.get(channel)?.deliveredAt ?? null,
      due_since: due.get(channel) ?? null,
      failed: health.get(channel)?.failed ?? 0,
    }));
  }
}
