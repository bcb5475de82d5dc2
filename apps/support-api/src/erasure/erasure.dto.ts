import { ERASED_KINDS, type ErasedKind } from '#persistence';
import { Id, Json, Text, Time } from '../http/shown.js';

/** What is left of a bottle that was erased. Nothing in it is about a patient. */
export class ErasureReceiptDto {
  @Id()
  bottle_id: string;

  @Time()
  erased_at: Date;

  @Text({ description: 'The name, as it was then, of who erased it.' })
  erased_by: string;

  @Json({
    description: `How much was erased beside the bottle itself: ${ERASED_KINDS.join(', ')} (vitals: documents of a day or an hour each).`,
  })
  counts: Record<ErasedKind, number>;
}
