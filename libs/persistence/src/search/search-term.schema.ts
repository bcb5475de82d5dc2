import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { COMPRESSED } from '../database/compressed.js';

// The collection is its own index: clustered, so that an entry is stored once, in the order in which it is read.
const OPTIONS = {
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
  clusteredIndex: { key: { _id: 1 }, unique: true },
  collectionOptions: { storageEngine: COMPRESSED.storageEngine },
} as const;

/** By what a bottle can be found: an end of its id or of its owner's, and the bottle (`entryKey`). */
@Schema({ ...OPTIONS, collection: 'bottle_search_terms' })
export class BottleSearchTerm {
  @Prop({ type: String })
  _id: string;
}

/** By what a medication can be found: an end of its name, and the name. */
@Schema({ ...OPTIONS, collection: 'medication_search_terms' })
export class MedicationSearchTerm {
  @Prop({ type: String })
  _id: string;
}

export const BottleSearchTermSchema = SchemaFactory.createForClass(BottleSearchTerm);
export const MedicationSearchTermSchema = SchemaFactory.createForClass(MedicationSearchTerm);
