import {
  type Actor,
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  ContactsRepository,
  ERASED_KINDS,
  type ErasedKind,
  type Erasure,
  ErasuresRepository,
  NotesRepository,
  PeopleRepository,
} from '#persistence';
import { Clock, CountsField, InstantField, TextField } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Types } from 'mongoose';
import { AuditLog } from '../auth/audit-log.js';
import { PeopleIndex } from '../bottles/people-index.js';
import { ErasureService, NOTHING, OPLOG_UNTIL } from './erasure.service.js';
import { type ErasureLine, ErasuresFile } from './erasures-file.js';
import { nothingOfUser } from '../http/ids.js';

export class PersonErasureDto {
  @TextField({ description: "The person's pseudonym, in the audit, too." })
  person: string;

  @InstantField()
  erased_at: Date;

  @TextField({ description: 'The name, at that time, of the person who erased it.' })
  erased_by: string;

  @CountsField(['bottles', 'shared_bottles', 'contacts', ...ERASED_KINDS], {
    description: 'What was erased. shared_bottles belong to somebody else now.',
  })
  counts: Record<'bottles' | 'shared_bottles' | 'contacts' | ErasedKind, number>;

  @InstantField({ nullable: true, description: OPLOG_UNTIL })
  oplog_until: Date | null;
}

const NONE: PersonErasureDto['counts'] = { bottles: 0, shared_bottles: 0, contacts: 0, ...NOTHING };
const RESTORE: Actor = { kind: 'command', id: 'ERASURES_FILE', name: 'ERASURES_FILE' };

/** Erases people: their bottles, their part of bottles that have changed hands, their contacts, and notes about them. */
@Injectable()
export class PeopleService implements OnApplicationBootstrap {
  private readonly logger = new Logger(PeopleService.name);

  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly contacts: ContactsRepository,
    private readonly notes: NotesRepository,
    private readonly index: PeopleIndex,
    private readonly people: PeopleRepository,
    private readonly erasures: ErasuresRepository,
    private readonly bottleErasure: ErasureService,
    private readonly file: ErasuresFile,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases a person. What remains, the audit and this receipt, has the pseudonym only, and nothing says any more whose
   * it is. An erasure that was interrupted can be repeated.
   *
   * @param before leaves bottles that were registered later, contacts that were changed later, and later notes
   * @throws Problem 404 if nothing is stored about the user
   */
  async erase(userId: string, by: Actor, before?: Date): Promise<PersonErasureDto> {
    const pseudonym = await this.people.pseudonymOf(userId);
    const [ids, former, contact, noted, begun] = await Promise.all([
      this.states.findIdsOfUser(userId),
      this.bottles.findFormerlyOf(userId),
      this.contacts.findByUser(userId),
      this.notes.findOfUser(userId, 1),
      this.erasures.findById(pseudonym),
    ]);
    const interrupted = begun !== null && begun.erased_at === undefined;
    if (ids.length + former.length + noted.length === 0 && !contact && !interrupted)
      throw nothingOfUser(userId, 'person');
    const erasure = await this.erasures.begin(pseudonym, this.clock.now(), by.name, ids);
    const count = (counts: Record<string, number>): Promise<void> =>
      this.erasures.count(pseudonym, 'person', counts);
    for (const id of await this.inOrder(erasure.bottle_ids))
      await this.eraseBottle(id, userId, pseudonym, by, before);
    for (const bottle of former) await this.eraseShared(bottle._id, userId, pseudonym);
    if (!before || (contact && contact.changed_at <= before)) {
      await count({ contacts: contact ? 1 : 0 });
      await this.contacts.delete(userId);
    }
    await count({ notes: await this.notes.countOfUser(userId, before) });
    await this.notes.deleteOfUser(userId, before);
    await this.index.refresh([userId]);
    const erased_at = before ?? this.clock.now();
    await this.file.append({ person: pseudonym, erased_at });
    await this.audit.record(by, { action: 'person.erase', subject: { kind: 'contact', id: userId } });
    await this.people.forget(pseudonym);
    return this.receiptOf((await this.erasures.finish(pseudonym, erased_at))!);
  }

  /** Those with a plan that others are for come first: without the others, its doses would seem missed. */
  private async inOrder(ids: readonly Types.ObjectId[]): Promise<Types.ObjectId[]> {
    const found = await this.bottles.findByIds([...ids]);
    const leading = new Set(
      found.filter(({ plan_members }) => plan_members).map(({ _id }) => _id.toHexString()),
    );
    const [first, others] = [true, false].map((leads) =>
      ids.filter((id) => leading.has(id.toHexString()) === leads),
    );
    return [...first!, ...others!];
  }

  private async eraseBottle(
    id: Types.ObjectId,
    userId: string,
    pseudonym: string,
    by: Actor,
    before: Date | undefined,
  ): Promise<void> {
    const bottle = await this.bottles.findById(id);
    if (bottle && before && bottle.registered_at > before) return;
    // it may have changed hands meanwhile
    if (bottle && bottle.user_id !== userId) return this.eraseShared(id, userId, pseudonym);
    // an erasure that is repeated may have erased it and not counted it
    const receipt = bottle
      ? await this.bottleErasure.erase(id, by)
      : await this.bottleErasure.findReceipt(id);
    if (receipt) await this.erasures.count(pseudonym, id.toHexString(), { ...receipt.counts, bottles: 1 });
  }

  private async eraseShared(id: Types.ObjectId, userId: string, pseudonym: string): Promise<void> {
    const bottle = await this.bottles.findById(id);
    if (!bottle || !isFormerly(bottle, userId)) return;
    const count = (counts: Record<string, number>): Promise<void> =>
      this.erasures.count(pseudonym, id.toHexString(), counts);
    await count({ shared_bottles: 1 });
    await this.bottleErasure.eraseFormerOwner(bottle, userId, pseudonym, count);
  }

  /** @throws Problem 404 for a user who was not erased */
  async receipt(userId: string): Promise<PersonErasureDto> {
    const erasure = await this.erasures.findById(await this.people.pseudonymOf(userId));
    if (!erasure?.erased_at) throw nothingOfUser(userId, 'erasure');
    return this.receiptOf(erasure);
  }

  private async receiptOf({
    _id: person,
    erased_at,
    requested_by,
    counts,
  }: Erasure): Promise<PersonErasureDto> {
    const sums = { ...NONE };
    for (const kind of Object.keys(NONE) as (keyof typeof NONE)[])
      for (const part of Object.values(counts)) sums[kind] += part[kind] ?? 0;
    const oplog_until = await this.bottleErasure.oplogUntil(erased_at!);
    return { person, erased_at: erased_at!, erased_by: requested_by, counts: sums, oplog_until };
  }

  /** Repeats the erasures that a restored backup does not contain, before any request is served. */
  async onApplicationBootstrap(): Promise<void> {
    await this.file.assertAppendable();
    const lines = await this.file.read();
    for (const line of lines) if ('bottle' in line) await this.repeatBottle(line.bottle, line.erased_at);
    await this.repeatPeople(lines.filter((line) => 'person' in line));
  }

  private async repeatBottle(bottleId: string, erasedAt: Date): Promise<void> {
    const id = new Types.ObjectId(bottleId);
    const bottle = await this.bottles.findById(id);
    if (!bottle || bottle.registered_at > erasedAt) return;
    await this.bottleErasure.erase(id, RESTORE);
    this.logger.warn(`erased bottle ${bottleId} again, after a restore`);
  }

  private async repeatPeople(lines: Extract<ErasureLine, { person: string }>[]): Promise<void> {
    const missing = new Map<string, Date>();
    for (const { person, key, erased_at } of lines) {
      if (!(await this.people.adoptKey(key)))
        throw new Error('ERASURES_FILE belongs to another database: the key of its pseudonyms differs');
      const known = await this.erasures.findById(person);
      if (!known?.erased_at || known.erased_at < erased_at) missing.set(person, erased_at);
    }
    if (missing.size === 0) return;
    for await (const userId of this.users()) {
      const pseudonym = await this.people.pseudonymOf(userId);
      const erasedAt = missing.get(pseudonym);
      if (!erasedAt || !missing.delete(pseudonym)) continue;
      await this.erase(userId, RESTORE, erasedAt);
      this.logger.warn(`erased ${pseudonym} again, after a restore`);
    }
  }

  private async *users(): AsyncGenerator<string> {
    yield* this.contacts.users();
    yield* this.bottles.users();
    yield* this.notes.users();
  }
}

const isFormerly = ({ former_owners = [] }: Bottle, userId: string): boolean =>
  former_owners.some((former) => former.user_id === userId);
