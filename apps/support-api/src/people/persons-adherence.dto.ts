import { IdField, InstantField, ListField, ObjectField, TextField } from '#platform';
import { TaxonomyDto } from '../history/taxonomy.dto.js';

export class BottleOfFiguresDto {
  @IdField()
  bottle_id: string;
}

/** The figures of a person with one medication: as measured, and with people's word. */
export class MedicationAdherenceDto extends TaxonomyDto {
  @TextField({ nullable: true, description: 'Null: all of them together; the last entry.' })
  medication: string | null;

  @ListField(() => BottleOfFiguresDto, { description: 'The bottles that they are of.' })
  bottles: BottleOfFiguresDto[];

  @ObjectField(() => TaxonomyDto)
  reported: TaxonomyDto;
}

export class PersonsAdherenceDto {
  @TextField()
  user_id: string;

  @InstantField()
  from: Date;

  @InstantField()
  to: Date;

  @ListField(() => MedicationAdherenceDto, {
    description: 'By medication, in the order of their registration, and then all together.',
  })
  medications: MedicationAdherenceDto[];
}
