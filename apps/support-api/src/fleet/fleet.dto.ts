import { ALERT_KINDS, type AlertKind } from '#domain';
import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Count, Nested, Time } from '../http/view.js';

/** The checks whose delay is shown: those that somebody waits for. */
const CHECKS = ['silent', 'open', 'dose'] as const;

/** An object with a number for each name. */
function CountBy(names: readonly string[], description: string): PropertyDecorator {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'number' as const }]));
  return ApiProperty({
    type: 'object',
    properties,
    required: [...names],
    additionalProperties: false,
    description,
  } as unknown as ApiPropertyOptions);
}

export class FleetBottlesDto {
  @Count()
  total: number;

  @CountBy(BOTTLE_STATUSES, 'Each bottle counts once.')
  by_status: Record<BottleStatus, number>;
}

export class IngestDto {
  @Count({ nullable: true, description: 'In the last minute; null if no device-api was running.' })
  heartbeats_per_minute: number | null;

  @Count({
    nullable: true,
    description: 'Openings and closings in the last minute; null if no device-api was running.',
  })
  actions_per_minute: number | null;
}

export class NotifierDto {
  @CountBy(CHECKS, 'For each check, how long the most overdue bottle has waited. Milliseconds.')
  lag_ms: Record<(typeof CHECKS)[number], number>;
}

export class FleetDto {
  @Time({ description: 'When bottles and alerts were counted. Ingest rate and lag are current.' })
  counted_at: Date;

  @Nested(() => FleetBottlesDto)
  bottles: FleetBottlesDto;

  @CountBy(ALERT_KINDS, 'Open or acknowledged, by kind.')
  open_alerts: Record<AlertKind, number>;

  @Nested(() => IngestDto)
  ingest: IngestDto;

  @Nested(() => NotifierDto)
  notifier: NotifierDto;
}
