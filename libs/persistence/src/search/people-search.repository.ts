import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { AnyBulkWriteOperation, Model } from 'mongoose';
import { COMPRESSED } from '../database/collection-options.js';
import { isNear, nearFilters, nearTermsOf } from './near.js';
import { hasTokens, keysOf, termsOf } from './tokens.js';
import { entriesOf } from './suffix.js';

/** A bottle as the entry of its owner has it. */
export interface EntryBottle {
  id: string;
  medication: string;
  label?: string;
}

/** A person as they can be searched for. */
export interface SearchablePerson {
  user_id: string;
  /** Names, phone numbers and e-mail addresses, of the carer, too. */
  texts: string[];
  bottles: EntryBottle[];
}

/** A person whom a search has found. */
export interface FoundPerson extends SearchablePerson {
  /** By a name that is written a little otherwise. */
  isNear: boolean;
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

/**
 * The person's entry: found by a part of their id, texts or labels, by two tokens of these and a medication, and by a
 * name that is near (see `near.ts`).
 */
export function personEntry({ user_id: ref, texts, bottles }: SearchablePerson): SearchEntry {
  const medications = bottles.map(({ medication }) => medication);
  return {
    _id: `person:${ref}`,
    kind: 'person',
    ref,
    texts,
    bottles,
    terms: [...termsOf([ref, ...texts, ...labelsOf(bottles)], medications), ...nearTermsOf([ref, ...texts])],
  };
}

export function medicationEntry(ref: string): SearchEntry {
  return { _id: `medication:${ref}`, kind: 'medication', ref, terms: termsOf([ref]) };
}

/** Present when all records of earlier versions have entries with all of these terms. */
export const BUILT_ENTRY: SearchEntry = { _id: 'built:3', kind: 'built' };

/** More are read only where tokens exclude some. */
const EXAMINED_BY_TOKENS = 50;

/** Finding people by a part of what is known of them, by two tokens of it in any order, or by a name that is near. */
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

  /** Those of whom the query is a part first, then those with a name that is near. */
  async findPeople(query: string, limit: number): Promise<FoundPerson[]> {
    // of a name in full there are few people: those near it are needed, too, and both wait for the disk
    const [exact, early] = await Promise.all([
      this.find('person', query, limit),
      keysOf(query).length > 1 ? this.findNear(query, limit) : undefined,
    ]);
    const near = early ?? (exact.length < limit ? await this.findNear(query, limit) : []);
    const known = new Set(exact.map(({ _id }) => _id));
    const others = near.filter(({ _id }) => !known.has(_id));
    return [...exact, ...others].slice(0, limit).map(({ _id, ref, texts = [], bottles = [] }) => ({
      user_id: ref!,
      texts,
      bottles,
      isNear: !known.has(_id),
    }));
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
    const examined = keys.length === 1 ? limit : EXAMINED_BY_TOKENS;
    return this.firstOf(ranges, examined, limit, (entry) => hasTokens(query, allTextsOf(entry)));
  }

  private findNear(query: string, limit: number): Promise<SearchEntry[]> {
    const ranges = nearFilters(query).map((terms) => ({ kind: 'person', terms }));
    return this.firstOf(ranges, EXAMINED_BY_TOKENS, limit, (entry) => isNear(query, allTextsOf(entry)));
  }

  /** The first entries of some ranges that fit. Each may wait for the disk: no more are read than it takes. */
  private async firstOf(
    ranges: object[],
    examined: number,
    limit: number,
    fits: (entry: SearchEntry) => boolean,
  ): Promise<SearchEntry[]> {
    if (ranges.length === 0) return [];
    const entries = this.entries.collection.find<SearchEntry>(
      { $or: ranges },
      { projection: { terms: 0 }, limit: examined, batchSize: 2 * limit },
    );
    const found: SearchEntry[] = [];
    for await (const entry of entries) {
      if (fits(entry)) found.push(entry);
      if (found.length === limit) break;
    }
    return found;
  }

  private async write(operations: AnyBulkWriteOperation<SearchEntry>[]): Promise<void> {
    if (operations.length > 0)
      await this.entries.collection.bulkWrite(operations as never, { ordered: false });
  }
}

const labelsOf = (bottles: readonly EntryBottle[]): string[] => bottles.flatMap(({ label }) => label ?? []);

const allTextsOf = ({ ref, texts = [], bottles = [] }: SearchEntry): string[] => [
  ref!,
  ...texts,
  ...bottles.map(({ medication }) => medication),
  ...labelsOf(bottles),
];

const replace = (entry: SearchEntry): AnyBulkWriteOperation<SearchEntry> => ({
  replaceOne: { filter: { _id: entry._id }, replacement: entry, upsert: true },
});
