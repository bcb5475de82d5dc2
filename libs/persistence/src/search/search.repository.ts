import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { AnyBulkWriteOperation, Model, Types } from 'mongoose';
import { updateEach } from '../database/write-each.js';
import { entriesOf, entryKey, readEntryKey, searchKey, suffixesOf } from './suffix.js';
import { COMPRESSED } from '../database/collection-options.js';

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

/** Entries in one command: a file of bottles has a hundred thousand, and no command may take seconds. */
const GROUP = 2_000;

/** Something that a part leads to. */
export interface SearchHit {
  /** Its place in the list of hits. */
  key: string;
  suffix: string;
  /** The bottle's id, or the medication's name. */
  ref: string;
}

/** A bottle as far as it can be searched for. */
export interface SearchableBottle {
  _id: Types.ObjectId;
  user_id: string;
}

/** The texts in which a bottle is searched for. */
export const textsOf = ({ _id, user_id }: SearchableBottle): string[] => [_id.toHexString(), user_id];

/**
 * Finding bottles by a part of anything. Every end of every text is an entry of an ordered collection, so a part is
 * a range of it, and a page reads what it shows however large the fleet is.
 */
@Injectable()
export class SearchRepository {
  constructor(
    @InjectModel(BottleSearchTerm.name) private readonly bottles: Model<BottleSearchTerm>,
    @InjectModel(MedicationSearchTerm.name) private readonly medications: Model<MedicationSearchTerm>,
  ) {}

  /** Makes bottles findable; what is there already stays. */
  async addBottles(added: SearchableBottle[]): Promise<void> {
    await add(
      this.bottles,
      added.flatMap((bottle) =>
        [...suffixesOf(textsOf(bottle))].map((end) => entryKey(end, bottle._id.toHexString())),
      ),
    );
  }

  /** Takes a bottle out of the index: every entry by its id and by these owners, but not those of `kept`. */
  async removeBottle(id: Types.ObjectId, userIds: string[], kept?: SearchableBottle): Promise<void> {
    const stays = kept ? suffixesOf(textsOf(kept)) : new Set<string>();
    const removed = [...suffixesOf([...(kept ? [] : [id.toHexString()]), ...userIds])].filter(
      (end) => !stays.has(end),
    );
    await this.bottles.deleteMany({ _id: { $in: removed.map((end) => entryKey(end, id.toHexString())) } });
  }

  /** Whether a medication is findable; one of nothing that can be searched for need not be. */
  async hasMedication(name: string): Promise<boolean> {
    const [whole] = suffixesOf([name]);
    return whole === undefined || (await this.medications.exists({ _id: entryKey(whole, name) })) !== null;
  }

  /** Makes a medication findable. */
  async addMedication(name: string): Promise<void> {
    if (await this.hasMedication(name)) return;
    await add(
      this.medications,
      // the whole name last: it says that all are there
      [...suffixesOf([name])].reverse().map((end) => entryKey(end, name)),
    );
  }

  /** Takes a medication out of the index. The whole name first: while it is there, nobody adds the others. */
  async removeMedication(name: string): Promise<void> {
    for (const end of suffixesOf([name])) await this.medications.deleteOne({ _id: entryKey(end, name) });
  }

  /** Bottles whose id or owner has this part, each once or more: see `leadingSuffix`. */
  findBottles(part: string, after: string | undefined, limit: number): Promise<SearchHit[]> {
    return find(this.bottles, part, after, limit);
  }

  /** The medication that an entry leads to. */
  nameOf(key: string): string {
    return readEntryKey(key).ref;
  }

  /** Medications whose name has this part, each once or more. */
  findMedications(part: string, after: string | undefined, limit: number): Promise<SearchHit[]> {
    return find(this.medications, part, after, limit);
  }
}

async function add(terms: Model<{ _id: string }>, keys: string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += GROUP) {
    await addGroup(terms, keys.slice(start, start + GROUP));
  }
}

/**
 * By upserts: MongoDB 6.0 does not tell a clustered collection's duplicates from other failures of an insert. An upsert
 * may be refused because another makes the same entry at that moment; it finds it when it is tried again.
 */
async function addGroup(terms: Model<{ _id: string }>, keys: string[]): Promise<void> {
  const upsert = (_id: string): AnyBulkWriteOperation<{ _id: string }> => ({
    updateOne: { filter: { _id }, update: { $setOnInsert: {} }, upsert: true },
  });
  const { refused } = await updateEach(terms.collection, keys, upsert);
  const again = await updateEach(terms.collection, refused, upsert);
  if (again.refused.length > 0) throw new Error(`${again.refused.length} search terms were refused`);
}

async function find(
  terms: Model<{ _id: string }>,
  part: string,
  after: string | undefined,
  limit: number,
): Promise<SearchHit[]> {
  const { $gte, $lt } = entriesOf(searchKey(part));
  const found = await terms
    .find({ _id: after === undefined ? { $gte, $lt } : { $gt: after, $lt } })
    .sort({ _id: 1 })
    .limit(limit)
    .lean<{ _id: string }[]>();
  return found.map(({ _id: key }) => ({ key, ...readEntryKey(key) }));
}
