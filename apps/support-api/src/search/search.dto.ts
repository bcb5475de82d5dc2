import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import { BooleanField, EnumField, IdField, ListField, ObjectField, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { AlertDto } from '../alerts/alert.dto.js';

export class SearchQuery {
  @TextField({
    min: 1,
    max: 200,
    description:
      'A part of a user id, name, phone number, e-mail address, label, medication or bottle id; or words of them, such as ' +
      'a name and a medication, in any order. Case, accents and punctuation make no difference. Names that differ by a ' +
      'letter or sound alike are found after those. One character finds what begins with it.',
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

export const MATCHED_BY = [
  'name',
  'phone',
  'email',
  'user_id',
  'carer_name',
  'carer_phone',
  'carer_email',
  'label',
  'medication',
] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

/** Why a person was found. */
export class MatchDto {
  @EnumField(MATCHED_BY)
  by: MatchedBy;

  @TextField()
  text: string;

  @BooleanField({ description: 'It is not written like the query; it differs by a letter or sounds alike.' })
  is_near: boolean;
}

export class FoundPersonDto {
  @TextField()
  user_id: string;

  @TextField({
    nullable: true,
    description: 'The first of name, phone and e-mail address that the contact has.',
  })
  name: string | null;

  @ObjectField(() => MatchDto, {
    nullable: true,
    description: 'What the query is a part of; null if that has changed meanwhile.',
  })
  matched: MatchDto | null;

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
