import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import { TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { AlertDto } from '../alerts/alert.dto.js';
import { Choice, Id, ListOf, Text } from '../http/view.js';

export class SearchQuery {
  @TextField({
    min: 2,
    max: 200,
    description:
      'A part of a user id, name, phone number, e-mail address, medication or bottle id; or words of them, such as a ' +
      'name and a medication, in any order. Case, accents and punctuation make no difference.',
  })
  q: string;
}

export class FoundBottleDto {
  @Id()
  bottle_id: string;

  @Text()
  user_id: string;

  @Text()
  medication: string;

  @Choice(BOTTLE_STATUSES)
  status: BottleStatus;
}

export class FoundPersonDto {
  @Text()
  user_id: string;

  @Text({ nullable: true, description: 'The first of name, phone and e-mail address that the contact has.' })
  name: string | null;

  @ListOf(() => FoundBottleDto, { description: 'At most 5; those whose medication was looked for first.' })
  bottles: FoundBottleDto[];
}

export class SearchResultDto {
  @ListOf(() => FoundPersonDto, { description: 'At most 8.' })
  people: FoundPersonDto[];

  @ListOf(() => FoundBottleDto, {
    description: 'With this part of their id, user id or medication as it is written; at most 5.',
  })
  bottles: FoundBottleDto[];

  @ListOf(() => AlertDto, { description: 'Open alerts of what was found, most recent first; at most 5.' })
  alerts: AlertDto[];

  @ApiProperty({ type: [String], description: 'At most 5.' })
  medications: string[];
}
