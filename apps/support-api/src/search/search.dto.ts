import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import { EnumField, IdField, ListField, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { AlertDto } from '../alerts/alert.dto.js';

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
  @IdField()
  bottle_id: string;

  @TextField()
  user_id: string;

  @TextField()
  medication: string;

  @EnumField(BOTTLE_STATUSES)
  status: BottleStatus;
}

export class FoundPersonDto {
  @TextField()
  user_id: string;

  @TextField({
    nullable: true,
    description: 'The first of name, phone and e-mail address that the contact has.',
  })
  name: string | null;

  @ListField(() => FoundBottleDto, { description: 'At most 5; those whose medication was looked for first.' })
  bottles: FoundBottleDto[];
}

export class SearchResultDto {
  @ListField(() => FoundPersonDto, { description: 'At most 8.' })
  people: FoundPersonDto[];

  @ListField(() => FoundBottleDto, {
    description: 'With this part of their id, user id or medication as it is written; at most 5.',
  })
  bottles: FoundBottleDto[];

  @ListField(() => AlertDto, { description: 'Open alerts of what was found, most recent first; at most 5.' })
  alerts: AlertDto[];

  @ApiProperty({ type: [String], description: 'At most 5.' })
  medications: string[];
}
