import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import { EnumField, EnumListField, ListField, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { BOTTLE_SORTS, type BottleSort } from '../bottles/bottle-order.js';

/** What a list of bottles can show beside the medication and the user. */
const COLUMNS = [
  'status',
  'open_alerts',
  'next_dose',
  'last_seen',
  'last_action',
  'pills_left',
  'battery',
  'time_zone',
  'bottle_id',
] as const;

const NAME = {
  max: 60,
  // what a dot leaves out differs between languages
  pattern: /^\S([^\n\r\u2028\u2029]*\S)?$/,
  hint: 'must be one line, and not begin or end with a space',
};

/** A list of bottles by a name. It can hold nothing about a patient. */
export class SaveViewDto {
  @TextField({ ...NAME, description: 'A view with this name is replaced.', example: 'Silent longest' })
  name: string;

  @EnumField(BOTTLE_STATUSES, { optional: true })
  status?: BottleStatus;

  @TextField({ max: 200, optional: true })
  medication?: string;

  @EnumField(BOTTLE_SORTS, { optional: true })
  sort?: BottleSort;

  @EnumListField(COLUMNS, { description: 'What the list shows beside the medication and the user.' })
  columns: string[];
}

export class DeleteViewQuery {
  @TextField(NAME)
  name: string;
}

export class SavedViewDto {
  @TextField()
  name: string;

  @TextField({ optional: true })
  status?: string;

  @TextField({ optional: true })
  medication?: string;

  @TextField({ optional: true })
  sort?: string;

  @ApiProperty({ type: [String] })
  columns: string[];
}

export class SavedViewsDto {
  @ListField(() => SavedViewDto, { description: 'In the order in which they were saved.' })
  items: SavedViewDto[];
}
