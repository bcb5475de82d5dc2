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

/** So many entries of the index one request looks at, whatever of them the filters let through. */
const MOST_LOOKED_AT = 500;

/** Where a page of found bottles ended. */
export interface FoundAt {
  /** First by bottles' and users' ids, then by medications. */
  by: 'id' | 'medication';
  /** The entry of the index. */
  key: string;
  /** Of a medication's bottles the last, as 24 hex digits; absent when there is nothing more of it. */
  bottle?: string;
}

/** A page of found bottles. It may be short, or empty, and not the last: few of the many that fit have passed the filters. */
export interface FoundPage {
  states: BottleState[];
  next?: FoundAt;
}

interface Candidate {
  at: FoundAt;
  /** Undefined when the entry leads to nothing new, or to what the filters hold back. */
  state: BottleState | undefined;
}

/** Finds bottles by a part of their id, of their user's id, or of their medication. */
@Injectable()
export class FindService {
  constructor(
    private readonly states: BottleStatesRepository,
    private readonly search: SearchRepository,
  ) {}

  async find(
    part: string,
    filter: StateFilter,
    after: FoundAt | undefined,
    limit: number,
  ): Promise<FoundPage> {
    const states: BottleState[] = [];
    let looked = 0;
    let last = after;
    for await (const { at, state } of this.candidates(part, filter, after, limit)) {
      if (state) {
        // there is one more than the page holds
        if (states.length === limit) return { states, ...(last && { next: last }) };
        states.push(state);
      }
      last = at;
      looked += 1;
      if (looked === MOST_LOOKED_AT) return { states, next: at };
    }
    return { states };
  }

  private async *candidates(
    part: string,
    filter: StateFilter,
    after: FoundAt | undefined,
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
    const hits = inTurn((key, count) => this.search.findBottles(part, key, count), after, limit);
    for await (const some of hits) {
      const states = await this.states.findByIds(some.map(({ ref }) => new Types.ObjectId(ref)));
      const byId = new Map(states.map((state) => [state._id.toHexString(), state]));
      for (const { key, ref, suffix } of some) {
        const state = byId.get(ref);
        // the filters first: they are cheap, and a rare status lets few through
        const counts = state && passes(state, filter) && leadingSuffix(part, textsOf(state)) === suffix;
        yield { at: { by: 'id', key }, state: counts ? state : undefined };
      }
    }
  }

  private async *byMedication(
    part: string,
    filter: StateFilter,
    after: FoundAt | undefined,
    limit: number,
  ): AsyncGenerator<Candidate> {
    if (after?.bottle !== undefined) yield* this.ofMedication(part, filter, after, limit);
    const hits = inTurn((key, count) => this.search.findMedications(part, key, count), after?.key, limit);
    for await (const some of hits) {
      for (const { key, ref, suffix } of some) {
        const at: FoundAt = { by: 'medication', key };
        const counts = leadingSuffix(part, [ref]) === suffix;
        if (counts) yield* this.ofMedication(part, filter, at, limit);
        yield { at, state: undefined };
      }
    }
  }

  /** Bottles with one medication, but those that were found by their ids already. */
  private async *ofMedication(
    part: string,
    filter: StateFilter,
    { key, bottle }: FoundAt,
    limit: number,
  ): AsyncGenerator<Candidate> {
    const medication = this.search.nameOf(key);
    if (filter.medication !== undefined && filter.medication !== medication) return;
    let after = bottle === undefined ? undefined : new Types.ObjectId(bottle);
    for (let count = limit + 1, full = true; full; count = MOST_LOOKED_AT) {
      const page = { ...filter, medication, limit: count, ...(after && { after }) };
      const states = await this.states.findPage(page);
      for (const state of states) {
        after = state._id;
        const known = leadingSuffix(part, textsOf(state)) !== undefined;
        const at: FoundAt = { by: 'medication', key, bottle: after.toHexString() };
        yield { at, state: known ? undefined : state };
      }
      full = states.length === count;
    }
  }
}

/** Reads hits for a page first, and then, when the filters let few through, more at a time. */
async function* inTurn(
  read: (after: string | undefined, count: number) => Promise<SearchHit[]>,
  after: string | undefined,
  limit: number,
): AsyncGenerator<SearchHit[]> {
  for (let count = limit + 1, key = after; ; count = MOST_LOOKED_AT / 2) {
    const hits = await read(key, count);
    yield hits;
    if (hits.length < count) return;
    key = hits.at(-1)!.key;
  }
}

function passes(state: BottleState, { status, user_id, medication }: StateFilter): boolean {
  return (
    (status === undefined || statusOf(state) === status) &&
    (user_id === undefined || state.user_id === user_id) &&
    (medication === undefined || state.medication === medication)
  );
}
