import { ID } from '#platform';
import {
  type BottleState,
  BottleStatesRepository,
  leadingSuffix,
  type SearchHit,
  SearchRepository,
  type StateFilter,
  statusOf,
  textsOf,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { invalidCursor } from '../http/paging.js';

/** The number of index entries that one request examines, however many the filters exclude. */
const MAX_EXAMINED = 500;

/** Where a page of matches ended. */
export interface MatchPosition {
  /** Matches by the ids of bottles and users come first, then those by medication. */
  by: 'id' | 'medication';
  /** The key of the index entry. */
  key: string;
  /** The last bottle with this medication, as 24 hex digits; absent if there are no more of them. */
  bottle?: string;
}

/** A page of matches. It can be short or empty although more follow, if the filters excluded many matches. */
export interface MatchPage {
  states: BottleState[];
  next?: MatchPosition;
}

interface Candidate {
  at: MatchPosition;
  /** Undefined if the filters exclude the bottle, or if another entry lists it. */
  state: BottleState | undefined;
}

/** Finds bottles by a part of their id, their user's id, or their medication. */
@Injectable()
export class BottleSearch {
  constructor(
    private readonly states: BottleStatesRepository,
    private readonly search: SearchRepository,
  ) {}

  async find(
    part: string,
    filter: StateFilter,
    after: MatchPosition | undefined,
    limit: number,
  ): Promise<MatchPage> {
    const states: BottleState[] = [];
    let examined = 0;
    let last = after;
    for await (const { at, state } of this.candidates(part, filter, after, limit)) {
      if (state) {
        // the page is full, and there is one more match
        if (states.length === limit) return { states, ...(last && { next: last }) };
        states.push(state);
      }
      last = at;
      examined += 1;
      if (examined === MAX_EXAMINED) return { states, next: at };
    }
    return { states };
  }

  private async *candidates(
    part: string,
    filter: StateFilter,
    after: MatchPosition | undefined,
    limit: number,
  ): AsyncGenerator<Candidate> {
    if (after?.by !== 'medication') yield* this.byIds(part, filter, after?.key, limit);
    yield* this.byMedication(part, filter, after?.by === 'medication' ? after : undefined, limit);
  }

  private async *byIds(
    part: string,
    filter: StateFilter,
    after: string | undefined,
    limit: number,
  ): AsyncGenerator<Candidate> {
    const hits = readHits((key, count) => this.search.findBottles(part, key, count), after, limit);
    for await (const batch of hits) {
      const states = await this.states.findByIds(batch.map(({ ref }) => new Types.ObjectId(ref)));
      const byId = new Map(states.map((state) => [state._id.toHexString(), state]));
      for (const { key, ref, suffix } of batch) {
        const state = byId.get(ref);
        // the filters are cheap and often exclude most matches, so they come first
        const matches = state && passes(state, filter) && leadingSuffix(part, textsOf(state)) === suffix;
        yield { at: { by: 'id', key }, state: matches ? state : undefined };
      }
    }
  }

  private async *byMedication(
    part: string,
    filter: StateFilter,
    after: MatchPosition | undefined,
    limit: number,
  ): AsyncGenerator<Candidate> {
    if (after?.bottle !== undefined) yield* this.ofMedication(part, filter, after, limit);
    const hits = readHits((key, count) => this.search.findMedications(part, key, count), after?.key, limit);
    for await (const batch of hits) {
      for (const { key, ref, suffix } of batch) {
        const at: MatchPosition = { by: 'medication', key };
        const matches = leadingSuffix(part, [ref]) === suffix;
        if (matches) yield* this.ofMedication(part, filter, at, limit);
        yield { at, state: undefined };
      }
    }
  }

  /** Bottles with one medication, except those that were already found by their ids. */
  private async *ofMedication(
    part: string,
    filter: StateFilter,
    { key, bottle }: MatchPosition,
    limit: number,
  ): AsyncGenerator<Candidate> {
    const medication = this.search.nameOf(key);
    if (filter.medication !== undefined && filter.medication !== medication) return;
    let after = bottle === undefined ? undefined : new Types.ObjectId(bottle);
    for (let count = limit + 1, full = true; full; count = MAX_EXAMINED) {
      const page = { ...filter, medication, limit: count, ...(after && { after: { id: after } }) };
      const states = await this.states.findPage(page);
      for (const state of states) {
        after = state._id;
        const known = leadingSuffix(part, textsOf(state)) !== undefined;
        const at: MatchPosition = { by: 'medication', key, bottle: after.toHexString() };
        yield { at, state: known ? undefined : state };
      }
      full = states.length === count;
    }
  }
}

/** Reads enough hits for a page first. If the filters exclude many of them, reads larger batches. */
async function* readHits(
  read: (after: string | undefined, count: number) => Promise<SearchHit[]>,
  after: string | undefined,
  limit: number,
): AsyncGenerator<SearchHit[]> {
  for (let count = limit + 1, key = after; ; count = MAX_EXAMINED / 2) {
    const hits = await read(key, count);
    yield hits;
    if (hits.length < count) return;
    key = hits.at(-1)!.key;
  }
}

function passes(state: BottleState, { status, user_id, medication, life }: StateFilter): boolean {
  return (
    (life === undefined || (state.life ?? 'in_use') === life) &&
    (status === undefined || statusOf(state) === status) &&
    (user_id === undefined || state.user_id === user_id) &&
    (medication === undefined || state.medication === medication)
  );
}

/** The cursor of a list of matches: the index entry at which the page ended. */
export function encodeMatch({ by, key, bottle }: MatchPosition): string {
  return Buffer.from(JSON.stringify(['found', by, key, ...(bottle === undefined ? [] : [bottle])])).toString(
    'base64url',
  );
}

/** @throws Problem 400 `invalid_cursor` */
export function decodeMatch(cursor: string): MatchPosition {
  const [list, by, key, bottle, ...more] = readArray(cursor);
  const known = list === 'found' && (by === 'id' || by === 'medication') && typeof key === 'string';
  const fits = bottle === undefined || (by === 'medication' && typeof bottle === 'string' && ID.test(bottle));
  if (!known || !fits || more.length > 0) {
    throw invalidCursor();
  }
  return { by, key, ...(bottle === undefined ? {} : { bottle }) };
}

function readArray(cursor: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? (read as unknown[]) : [];
  } catch {
    return [];
  }
}
