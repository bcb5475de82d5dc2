import { Count, Flag, Id, ListOf, Text, Time } from '../http/view.js';
import { MessagePreviewDto } from './message-preview.js';

/** How many bottles of the incident share a value. */
export class IncidentShareDto {
  @Text()
  name: string;

  @Count()
  bottles: number;
}

export class IncidentBottleDto {
  @Id()
  alert_id: string;

  @Id()
  bottle_id: string;

  @Text()
  user_id: string;

  @Text()
  medication: string;

  @Text({ nullable: true, description: 'Null if the bottle was erased.' })
  time_zone: string | null;

  @Time({ nullable: true })
  last_heard_at: Date | null;
}

export class IncidentDto {
  @Time({ description: 'When the first of its bottles was last seen.' })
  began_at: Date;

  @Count({ description: 'The bottles that fell silent in it.' })
  bottles: number;

  @Count({ description: 'Those that are silent still.' })
  still_silent: number;

  @Flag({ description: 'There are more bottles than are counted here.' })
  truncated: boolean;

  @ListOf(() => IncidentShareDto, { description: 'Most bottles first.' })
  time_zones: IncidentShareDto[];

  @ListOf(() => IncidentShareDto, { description: 'Most bottles first.' })
  medications: IncidentShareDto[];

  @Count({ description: 'Messages that wait for the decision.' })
  held_messages: number;

  @Count({ description: 'The people to whom they go.' })
  held_people: number;

  @Count({ description: 'Messages about these bottles that were sent.' })
  sent_messages: number;

  @ListOf(() => MessagePreviewDto, {
    description: 'The first of the messages that wait, as people get them.',
  })
  previews: MessagePreviewDto[];

  @ListOf(() => IncidentBottleDto, { description: 'The first of the bottles.' })
  affected: IncidentBottleDto[];
}
