import { CLAIM_FIELDS, periodsOf } from '#domain';
import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  ContactsRepository,
  NotesRepository,
  type OwnersPart,
  PillWeightsRepository,
  type StoredBottleState,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { BottleRecords, RECORD_KINDS } from './bottle-records.js';
import { jsonOf, type Parts } from './json-parts.js';
import { partOfPlan } from './owners-parts.js';
import { nothingOfUser } from '../http/ids.js';

/** A bottle, and what of it is exported: all of it without a part. */
interface Exported {
  bottle: Bottle;
  userId: string;
  part?: OwnersPart;
}

/** Exports everything that is stored about a bottle or a person, for people who ask for their data. */
@Injectable()
export class ExportService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly records: BottleRecords,
    private readonly weights: PillWeightsRepository,
    private readonly contacts: ContactsRepository,
    private readonly notes: NotesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the text of a JSON object in chunks, so that no log is held in memory. Documents are exported as they are
   * stored, without token hashes and leases. Of a bottle that has changed hands, only what is its owner's.
   *
   * @throws Problem 404, before the first chunk
   */
  async ofBottle(id: Types.ObjectId): Promise<AsyncIterable<string>> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    const exported = await this.exported(bottle, bottle.user_id);
    const [state, pill_weights] = await Promise.all([this.stateOf(exported), this.weights.findOfBottle(id)]);
    return jsonOf({
      exported_at: this.clock.now(),
      bottle: registryOf(exported),
      state,
      pill_weights,
      notes: this.notes.ofUser(bottle.user_id, id),
      ...this.recordsOf([exported]),
    });
  }

  /** The same of a person: the contact, the bottles, and their part of bottles that have changed hands. */
  async ofPerson(userId: string): Promise<AsyncIterable<string>> {
    const [ids, former, contact, noted] = await Promise.all([
      this.states.findIdsOfUser(userId),
      this.bottles.findFormerlyOf(userId),
      this.contacts.findByUser(userId),
      this.notes.findOfUser(userId, 1),
    ]);
    const owned = await this.bottles.findByIds(ids);
    const bottles = new Map([...owned, ...former].map((bottle) => [bottle._id.toHexString(), bottle]));
    if (bottles.size + noted.length === 0 && !contact) throw nothingOfUser(userId, 'person');
    const exported = await Promise.all([...bottles.values()].map((bottle) => this.exported(bottle, userId)));
    return jsonOf({
      exported_at: this.clock.now(),
      person: { user_id: userId },
      contact,
      notes: this.notes.ofUser(userId),
      bottles: exported.map(registryOf),
      states: (await Promise.all(exported.map((one) => this.stateOf(one)))).filter((state) => state !== null),
      ...this.recordsOf(exported),
    });
  }

  private async exported(bottle: Bottle, userId: string): Promise<Exported> {
    if (!bottle.former_owners) return { bottle, userId };
    return { bottle, userId, part: await this.records.partOf(bottle, userId) };
  }

  private async stateOf({ bottle: { _id, user_id }, userId }: Exported): Promise<object | null> {
    const state = user_id === userId ? await this.states.findStored(_id) : null;
    return state && withoutInternals(state);
  }

  private recordsOf(exported: Exported[]): Parts {
    const stored = exported.map(({ bottle, part }) => this.records.of(bottle._id, part));
    return Object.fromEntries(
      RECORD_KINDS.map((kind) => [kind, concatenated(stored.map((of) => () => of[kind].read()))]),
    );
  }
}

async function* concatenated(lists: (() => AsyncIterable<object>)[]): AsyncGenerator<object> {
  for (const list of lists) yield* list();
}

/** The registry's entry as far as it is about this owner. */
function registryOf({ bottle, userId, part }: Exported): object {
  const { former_owners: _others, searchable_as: _terms, ...entry } = bottle;
  if (!part) return withoutInternals(entry);
  const plan = partOfPlan(bottle, part.periods);
  const owned = periodsOf(bottle, userId);
  if (bottle.user_id === userId) return { ...withoutInternals(entry), ...plan, owned };
  // what else the registry says is the present owner's
  return { _id: bottle._id, user_id: userId, ...plan, owned };
}

/** Fields that are not about the bottle: token hashes and leases. */
const INTERNAL_FIELDS = new Set(['token_hash', 'revoked_token_hashes', ...CLAIM_FIELDS]);

function withoutInternals(document: Bottle | StoredBottleState): object {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !INTERNAL_FIELDS.has(field)));
}
