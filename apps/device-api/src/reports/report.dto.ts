import { EnumField, InstantField, NumberField, OnlyWhen, PillsField, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';

/** What devices send in place of a count or weight of two bytes; in place of one byte it is 255. */
const SENTINELS = [32_767, 65_535];
const MASS = { optional: true, min: 0, max: 100_000, except: SENTINELS, description: 'Grams.' };
const COUNT = { optional: true, min: 0, max: 100_000, except: SENTINELS };

/** A sign of life; every field is optional, and so is the body. */
export class HeartbeatDto {
  @InstantField({ optional: true, description: "The device's clock at the moment of sending." })
  sent_at?: string;

  @NumberField({ optional: true, min: 0, max: 100 })
  battery_percent?: number;

  @NumberField({ optional: true, min: -200, max: 50, description: 'Signal strength, dBm.' })
  rssi_dbm?: number;

  @NumberField(MASS)
  mass_of_contents?: number;

  @PillsField(COUNT)
  number_of_pills?: number;
}

/** What openings and closings have in common. */
class ReportedActionDto {
  @InstantField({ description: "Event time, by the device's clock." })
  time: string;

  @NumberField(MASS)
  mass_of_contents?: number;

  @PillsField(COUNT)
  number_of_pills?: number;

  @TextField({
    optional: true,
    max: 100,
    description: "The device's own id of the event, the same in every retry.",
  })
  event_id?: string;

  @InstantField({ optional: true, description: "The device's clock at the moment of sending." })
  sent_at?: string;
}

const PILLS_TAKEN = {
  min: 0,
  max: 10_000,
  except: [255],
  description: 'Pills removed while the bottle was open; 255 stands for none that is known.',
};

/** An opening, for the OpenAPI document; {@link ActionDto} checks it. */
export class OpenedDto extends ReportedActionDto {
  @EnumField(['opened'])
  action: 'opened';
}

/** A closing, for the OpenAPI document; {@link ActionDto} checks it. */
export class ClosedDto extends ReportedActionDto {
  @EnumField(['closed'])
  action: 'closed';

  @PillsField(PILLS_TAKEN)
  pills_taken: number;
}

/** One open or close. */
export class ActionDto extends ReportedActionDto {
  @EnumField(['opened', 'closed'])
  action: 'opened' | 'closed';

  @ValidateIf((action: ActionDto) => action.action === 'closed' || action.pills_taken !== undefined)
  @OnlyWhen('action', 'closed')
  @PillsField(PILLS_TAKEN)
  pills_taken?: number;
}

/** A field of a report that was left out. */
export class IgnoredFieldDto {
  @ApiProperty({ description: 'Its name as it was sent.' })
  field: string;

  @ApiProperty({ description: 'Why: `unknown_field`, `out_of_range`, `invalid_type` and the like.' })
  reason: string;
}

/** The result of a heartbeat of which something was left out. */
export class HeartbeatResultDto {
  @ApiProperty({ type: [IgnoredFieldDto], description: 'What was left out of the report.' })
  ignored: IgnoredFieldDto[];
}

/** The result of an action. */
export class ActionResultDto {
  @ApiProperty({ description: 'The id of the action in the log.' })
  id: string;

  @ApiProperty({ description: 'True if the action was already in the log.' })
  duplicate: boolean;

  @ApiProperty({ type: [IgnoredFieldDto], required: false, description: 'What was left out of the report.' })
  ignored?: IgnoredFieldDto[];
}
