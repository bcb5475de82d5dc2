import { ALARMING_KINDS, type AlarmingKind, COVERAGE_PARTS, type CoveragePart } from '#domain';
import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import { EnumField, InstantField, ListField, NumberField, ObjectField } from '#platform';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** The checks whose delay is shown: those that somebody waits for. */
const CHECKS = ['silent', 'open', 'dose'] as const;

/** An object with a number for each name. */
function CountBy(names: readonly string[], description: string): PropertyDecorator {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'number' as const }]));
  return ApiProperty({
    type: 'object',
    properties,
    required: [...names],
    selfRequired: true,
    additionalProperties: false,
    description,
  } as unknown as ApiPropertyOptions);
}

export class FleetBottlesDto {
  @NumberField()
  total: number;

  @CountBy(BOTTLE_STATUSES, 'Each bottle counts once.')
  by_status: Record<BottleStatus, number>;
}

export class IngestDto {
  @NumberField({ nullable: true, description: 'In the last minute; null if no device-api was running.' })
  heartbeats_per_minute: number | null;

  @NumberField({
    nullable: true,
    description: 'Openings and closings in the last minute; null if no device-api was running.',
  })
  actions_per_minute: number | null;
}

export class NotifierDto {
  @CountBy(CHECKS, 'For each check, how long the most overdue bottle has waited. Milliseconds.')
  lag_ms: Record<(typeof CHECKS)[number], number>;

  @NumberField({
    description: 'How many notifiers are running: those that recorded within the last minute that they run.',
  })
  running: number;
}

export class FleetDto {
  @InstantField({ description: 'When bottles and alerts were counted. Ingest rate and lag are current.' })
  counted_at: Date;

  @ObjectField(() => FleetBottlesDto)
  bottles: FleetBottlesDto;

  @CountBy(ALARMING_KINDS, 'Open or acknowledged, by kind.')
  open_alerts: Record<AlarmingKind, number>;

  @CountBy(ALARMING_KINDS, 'Alerts that need attention, by kind: those of the list `order=needs_person`.')
  needs_attention: Record<AlarmingKind, number>;

  @CountBy(ALARMING_KINDS, 'Of those, the ones that nobody takes care of, by kind.')
  unassigned: Record<AlarmingKind, number>;

  @ObjectField(() => IngestDto)
  ingest: IngestDto;

  @ObjectField(() => NotifierDto)
  notifier: NotifierDto;
}

export class CoverageGapsQuery {
  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'Gaps that lasted at this time or later. Default: 30 days ago.',
  })
  from?: string;

  @InstantField({
    example: '2026-03-08T00:00:00Z',
    optional: true,
    description: 'Gaps that began before this time. Default: now.',
  })
  to?: string;
}

export class CoverageGapDto {
  @EnumField(COVERAGE_PARTS, {
    description: 'device-api: no reports were accepted. notifier: no checks ran.',
  })
  part: CoveragePart;

  @InstantField()
  from: Date;

  @InstantField({ nullable: true, description: 'null while it lasts.' })
  until: Date | null;

  @NumberField({
    nullable: true,
    description: 'Doses of the fleet that were due in it; null while it lasts.',
  })
  doses: number | null;
}

export class CoverageGapsDto {
  @ListField(() => CoverageGapDto)
  items: CoverageGapDto[];
}
