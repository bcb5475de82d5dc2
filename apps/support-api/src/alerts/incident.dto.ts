import { BooleanField, IdField, InstantField, ListField, NumberField, TextField } from '#platform';
import { MessagePreviewDto } from './message-preview.js';

/** How many bottles of the incident share a value. */
export class IncidentShareDto {
  @TextField()
  name: string;

  @NumberField()
  bottles: number;
}

export class IncidentBottleDto {
  @IdField()
  alert_id: string;

  @IdField()
  bottle_id: string;

  @TextField()
  user_id: string;

  @TextField({ nullable: true, description: 'Of the user, from the contact; null if there is none.' })
  user_name: string | null;

  @TextField({ nullable: true, description: 'By which people tell the bottle from their other ones.' })
  label: string | null;

  @TextField()
  medication: string;

  @TextField({ nullable: true, description: 'Null if the bottle was erased.' })
  time_zone: string | null;

  @InstantField({ nullable: true })
  last_heard_at: Date | null;
}

export class IncidentDto {
  @InstantField({ description: 'When bottles and messages were counted.' })
  counted_at: Date;

  @InstantField({ description: 'When the first of its bottles was last seen.' })
  began_at: Date;

  @NumberField({ description: 'The bottles that fell silent in it.' })
  bottles: number;

  @NumberField({ description: 'Those that are silent still.' })
  still_silent: number;

  @BooleanField({ description: 'There are more bottles than are counted here.' })
  truncated: boolean;

  @ListField(() => IncidentShareDto, { description: 'Most bottles first.' })
  time_zones: IncidentShareDto[];

  @ListField(() => IncidentShareDto, { description: 'Most bottles first.' })
  medications: IncidentShareDto[];

  @NumberField({ description: 'Messages that wait for the decision.' })
  held_messages: number;

  @NumberField({ description: 'The people to whom they go.' })
  held_people: number;

  @NumberField({ description: 'Messages about these bottles that were sent.' })
  sent_messages: number;

  @ListField(() => MessagePreviewDto, {
    description: 'The first of the messages that wait, as people get them.',
  })
  previews: MessagePreviewDto[];

  @ListField(() => IncidentBottleDto, { description: 'The first of the bottles.' })
  affected: IncidentBottleDto[];
}
