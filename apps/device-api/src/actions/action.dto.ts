import { EnumField, InstantField, IntegerField, NumberField, OnlyWhen, TextField } from '#platform';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';

/** One open or close. */
export class ActionDto {
  @EnumField(['opened', 'closed'])
  action: 'opened' | 'closed';

  @InstantField({ description: "When it happened, by the device's clock." })
  time: string;

  @NumberField({ min: 0, max: 100_000, description: 'Grams.' })
  mass_of_contents: number;

  @IntegerField({ min: 0, max: 100_000 })
  number_of_pills: number;

  // in the API's description it may be absent: JSON Schema's "required" knows no "only when"
  @ApiPropertyOptional()
  @ValidateIf((action: ActionDto) => action.action === 'closed' || action.pills_taken !== undefined)
  @OnlyWhen('action', 'closed')
  @IntegerField({
    min: 0,
    max: 10_000,
    description: 'Pills removed while the bottle was open: if and only if closed.',
  })
  pills_taken?: number;

  @TextField({
    optional: true,
    max: 100,
    description: "The device's own name for the event, the same in every retry.",
  })
  event_id?: string;

  @InstantField({ optional: true, description: "The device's clock at the moment of sending." })
  sent_at?: string;
}

/** What became of an action. */
export class ActionResultDto {
  @ApiProperty({ description: 'The id of the action in the log.' })
  id: string;

  @ApiProperty({ description: 'True when it was there already.' })
  duplicate: boolean;
}
