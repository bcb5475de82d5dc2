import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { AnyBulkWriteOperation, Model } from 'mongoose';
import { COMPRESSED } from '../database/collection-options.js';
import { hasTokens, keysOf, termsOf } from './tokens.js';
import { entriesOf } from './suffix.js';

/** A bottle as the entry of its owner has it. */
export interface EntryBottle {
  id: string;
  medication: string;
}

/** A person as they can be searched for. */
export interface SearchablePerson {
  user_id: string;
  /** Names and phone numbers, of the carer, too. */
  texts: string[];
  bottles: EntryBottle[];
}

/** A person, or a medication, with the terms by which the search finds it. */
@Schema({
  collection: 'search_entries',
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
  collectionOptions: COMPRESSED,
})
export class SearchEntry {
  /** Its kind and reference; `built` says that all older records have an entry. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: String, required: true })
  kind: 'person' | 'medication' | 'built';

  /** The user id, or the medication's name. */
  @Prop({ type: String })
  ref?: string;

  @Prop({ type: [String], default: undefined })
  texts?: string[];

  @Prop({ type: [Object], default: undefined })
  bottles?: EntryBottle[];

  @Prop({ type: [String], default: undefined })
  terms?: string[];
}

export const SearchEntrySchema = SchemaFactory.createForClass(SearchEntry);

// A part is a range of the terms.
SearchEntrySchema.index({ kind: 1, terms: 1 }, { name: 'by_term' });

/** The person's entry: found by a part of their id or texts, or by two tokens of these and a medication. */
export function personEntry({ user_id: ref, texts, bottles }: SearchablePerson): SearchEntry {
  const medications = bottles.map(({ medication }) => medication);
  return {
    _id: `person:${ref}`,
    kind: 'person',
    ref,
    texts,
    bottles,
    terms: termsOf([ref, ...texts], medications),
  };
}

export function medicationEntry(ref: string): SearchEntry {
  return { _id: `medication:${ref}`, kind: 'medication', ref, terms: termsOf([ref]) };
}

/** Present when all records of earlier versions have entries. */
export const BUILT_ENTRY: SearchEntry = { _id: 'built', kind: 'built' };

/** More are read only where tokens exclude some. */
const EXAMINED_BY_TOKENS = 50;

/** Finding people by a part of their id or name, or by two tokens of name and medication in any order. */
@Injectable()
export class PeopleSearchRepository {
  constructor(@InjectModel(SearchEntry.name) private readonly entries: Model<SearchEntry>) {}

  /** Writes these people's entries; takes out those who have neither texts nor bottles. */
  async put(people: readonly SearchablePerson[]): Promise<void> {
    await this.write(
      people.map((person) => {
        const entry = personEntry(person);
        const isKnown = person.texts.length + person.bottles.length > 0;
        return isKnown ? replace(entry) : { deleteOne: { filter: { _id: entry._id } } };
      }),
    );
  }

  async putMedications(names: readonly string[]): Promise<void> {
    await this.write(names.map((name) => replace(medicationEntry(name))));
  }

  async removeMedication(name: string): Promise<void> {
    await this.write([{ deleteOne: { filter: { _id: medicationEntry(name)._id } } }]);
  }

  async findPeople(query: string, limit: number): Promise<SearchablePerson[]> {
    const found = await this.find('person', query, limit);
    return found.map(({ ref, texts = [], bottles = [] }) => ({ user_id: ref!, texts, bottles }));
  }

  async findMedications(query: string, limit: number): Promise<string[]> {
    return (await this.find('medication', query, limit)).map(({ ref }) => ref!);
  }

  /** Whether all records of earlier versions have entries. */
  async isBuilt(): Promise<boolean> {
    return (await this.entries.exists({ _id: BUILT_ENTRY._id })) !== null;
  }

  async setBuilt(): Promise<void> {
    await this.write([replace(BUILT_ENTRY)]);
  }

  private async find(kind: SearchEntry['kind'], query: string, limit: number): Promise<SearchEntry[]> {
    const keys = keysOf(query);
    if (keys.length === 0) return [];
    const ranges = keys.map((key) => ({ kind, terms: { $elemMatch: entriesOf(key) } }));
    const found = await this.entries.collection
      .find<SearchEntry>(
        { $or: ranges },
        { projection: { terms: 0 }, limit: keys.length === 1 ? limit : EXAMINED_BY_TOKENS },
      )
      .toArray();
    const textsOf = ({ ref, texts = [], bottles = [] }: SearchEntry): string[] => [
      ref!,
      ...texts,
      ...bottles.map(({ medication }) => medication),
    ];
    return found.filter((entry) => hasTokens(query, textsOf(entry))).slice(0, limit);
  }

  private async write(operations: AnyBulkWriteOperation<SearchEntry>[]): Promise<void> {
    if (operations.length > 0)
      await this.entries.collection.bulkWrite(operations as never, { ordered: false });
  }
}

const replace = (entry: SearchEntry): AnyBulkWriteOperation<SearchEntry> => ({
  replaceOne: { filter: { _id: entry._id }, replacement: entry, upsert: true },
});
