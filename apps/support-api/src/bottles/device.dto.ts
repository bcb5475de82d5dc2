import { PROBLEM_EFFECTS } from '#domain';
import { EnumField, InstantField, NumberField, TextField } from '#platform';

export const DEVICE_STATUSES = ['unknown', 'silent', 'open', 'ok'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** The state of the device. It says nothing of doses. */
export class DeviceDto {
  @EnumField(DEVICE_STATUSES, { description: 'The first that applies, in this order.' })
  status: DeviceStatus;

  @InstantField({ nullable: true })
  since: Date | null;

  @TextField({ description: 'A sentence for people.' })
  text: string;
}

/** Since when a bottle is monitored. */
export const MonitoredSince = (): PropertyDecorator =>
  InstantField({
    nullable: true,
    description:
      'When its first report of any kind was received: nothing could be seen before. Null: it has not reported yet.',
  });

/** What a heartbeat carried. */
export abstract class HeartbeatValuesDto {
  @NumberField({ nullable: true })
  battery_percent: number | null;

  @NumberField({ nullable: true })
  rssi_dbm: number | null;

  @NumberField({ nullable: true, description: 'Grams.' })
  mass_of_contents: number | null;

  @NumberField({ nullable: true })
  number_of_pills: number | null;
}

/** What the last heartbeat carried. */
export class VitalsDto extends HeartbeatValuesDto {
  @InstantField()
  at: Date;
}

export class BadClockDto {
  @NumberField({ description: "The device's clock minus ours." })
  offset_ms: number;

  @InstantField()
  at: Date;
}

export class QuarantineDto {
  @TextField()
  check: string;

  @TextField()
  error: string;

  @InstantField()
  at: Date;
}

/** Something that is wrong with a bottle's reports. */
export class ReportProblemDto {
  @EnumField(PROBLEM_EFFECTS, {
    description:
      'refused: reports were refused for it; ignored: the field was left out; kept: it was kept, and can hardly be so.',
  })
  effect: string;

  @TextField({ description: 'As the bottle sent it; empty if it was no single field.' })
  field: string;

  @TextField({
    description: 'The code of the answer: `unknown_field`, `out_of_range`, `invalid_time` and the like.',
  })
  reason: string;

  @TextField({ description: "The value's JSON type, `missing`, or `report`." })
  value_kind: string;

  @InstantField()
  first_at: Date;

  @InstantField()
  last_at: Date;

  @NumberField({ description: 'How many reports had it, about.' })
  count: number;
}
