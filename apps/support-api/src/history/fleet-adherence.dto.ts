import { IdField, InstantField, ObjectField, TextField } from '#platform';
import { PageQuery } from '../http/paging.js';
import { TaxonomyDto } from './taxonomy.dto.js';

export class FleetAdherenceQuery extends PageQuery {
  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'Days from this time. Default: 30 days before `to`.',
  })
  from?: string;

  @InstantField({
    example: '2026-03-08T00:00:00Z',
    optional: true,
    description: 'Days before this time. Default: now.',
  })
  to?: string;
}

/** The figures of a bottle: as measured, and with people's word. */
export class BottleFiguresDto extends TaxonomyDto {
  @IdField()
  bottle_id: string;

  @TextField()
  user_id: string;

  @TextField()
  medication: string;

  @TextField({ description: 'The time zone in which days are counted.' })
  time_zone: string;

  @ObjectField(() => TaxonomyDto)
  reported: TaxonomyDto;
}
