import { ALERT_KINDS, type AlertKind } from '#domain';
import { BOTTLE_STATUSES, type BottleStatus, type DeadlineName } from '#persistence';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Count, Time } from '../http/shown.js';

const CHECKS = ['silent', 'open', 'dose'] as const satisfies readonly DeadlineName[];

/** A number under each of these names. */
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
  @Count({ nullable: true, description: 'Over the last minute; null when no device-api was there to count.' })
  heartbeats_per_minute: number | null;

  @Count({ nullable: true, description: 'The same for openings and closings.' })
  actions_per_minute: number | null;
}

export class NotifierDto {
  @CountBy(CHECKS, 'How long the longest overdue bottle has waited for each check. Milliseconds.')
  lag_ms: Record<DeadlineName, number>;
}

export class FleetDto {
  @Time({ description: 'When bottles and alerts were counted. What comes in and the lag are of now.' })
  counted_at: Date;

  @ApiProperty()
  bottles: FleetBottlesDto;

  @CountBy(ALERT_KINDS, 'Open or acknowledged, by kind.')
  open_alerts: Record<AlertKind, number>;

  @ApiProperty()
  ingest: IngestDto;

  @ApiProperty()
  notifier: NotifierDto;
}
