import {
  DAY_MS,
  derivedId,
  reportedOutcome,
  type Slot,
  slotDueAt,
  type Statement,
  type WithReport,
  withReports,
} from '#domain';
import {
  type Attestation,
  type AttestationEntry,
  AttestationsRepository,
  type Bottle,
  BottlesRepository,
  type DoseOutcome,
} from '#persistence';
import { Clock, definedOnly, Problem } from '#platform';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { HistoryQuery } from '../history/history.dto.js';
import { type ByTime, Cursors, type Page, readPage } from '../http/paging.js';
import { readRange } from '../http/time-range.js';
import { viewsOf } from '../http/view.js';
import { AttestationDto } from './attestation.dto.js';

const DEFAULT_SPAN = 30 * DAY_MS;
/** How far ahead a dose can be attested: as far as a removal can count for it. */
const AHEAD_MS = DAY_MS;
const CURSORS = new Cursors<ByTime>('attestations', { timed: true });

/** Whose word it is, who records it, and what they add. */
export type Authorship = Pick<Attestation, 'attested_by' | 'recorded_by' | 'note'>;

/** What people say about doses: adding to it, and reading it. */
@Injectable()
export class AttestationsService {
  constructor(
    private readonly attestations: AttestationsRepository,
    private readonly bottles: BottlesRepository,
    private readonly dirtyBuckets: DirtyBuckets,
    private readonly clock: Clock,
  ) {}

  /**
   * Records what somebody says about a dose.
   *
   * @param id of the entry; the same id is recorded once
   * @throws Problem 400 for a slot that the bottle does not have, or that is too far ahead, an impossible time, or more
   *   pills than the dose has; 404;
   *   409 if an entry with the id is there
   */
  async attest(
    bottleId: Types.ObjectId,
    scheduledAt: Date,
    statement: Statement,
    by: Authorship,
    id: Types.ObjectId = new Types.ObjectId(),
  ): Promise<AttestationEntry> {
    const bottle = await this.bottles.findById(bottleId);
    if (!bottle) throw Problem.notFound('bottle');
    const now = this.clock.now();
    const slot = slotAt(bottle, scheduledAt, now);
    if (statement.taken_at) checkTime(statement.taken_at, slot, now);
    if (statement.kind === 'taken') checkPills(statement.pills, slot);
    const of = { _id: id, bottle_id: bottleId, scheduled_at: scheduledAt, at: now };
    const stated = statement.kind === 'taken' ? { pills: slot.pills, ...statement } : statement;
    return this.add({ ...of, ...stated, outcome: reportedOutcome(stated, slot), ...definedOnly({ ...by }) });
  }

  /**
   * Records that pills which were removed were no dose. The removal may be reported later.
   *
   * @throws Problem 400 for a time that is not in the past; 404
   */
  async attestNoDose(
    bottle_id: Types.ObjectId,
    removedAt: Date,
    pills: number,
    by: Authorship,
  ): Promise<AttestationEntry> {
    const now = this.clock.now();
    if (removedAt > now) throw Problem.field('removed_at', 'out_of_range', 'removed_at must be in the past');
    const of = { _id: new Types.ObjectId(), bottle_id, scheduled_at: removedAt, at: now };
    return this.add({ ...of, kind: 'no_dose', pills, ...definedOnly({ ...by }) });
  }

  /**
   * Withdraws an entry by a further one.
   *
   * @throws Problem 404; 409 if it is withdrawn already
   */
  async withdraw(
    bottle_id: Types.ObjectId,
    entryId: Types.ObjectId,
    by: Authorship,
  ): Promise<AttestationEntry> {
    const entry = await this.attestations.find(bottle_id, entryId);
    if (!entry || entry.kind === 'withdrawn') throw Problem.notFound('attestation');
    return this.add({
      _id: this.withdrawalId(entryId),
      bottle_id,
      scheduled_at: entry.scheduled_at,
      at: this.clock.now(),
      kind: 'withdrawn',
      withdraws: entryId,
      ...definedOnly({ ...by }),
    });
  }

  /** Of the entry that withdraws another: it is withdrawn once. */
  withdrawalId(entryId: Types.ObjectId): Types.ObjectId {
    return new Types.ObjectId(derivedId('withdrawal', entryId.toHexString()));
  }

  private async add(entry: AttestationEntry): Promise<AttestationEntry> {
    await this.dirtyBuckets.add('statements', [entry.scheduled_at], this.clock.now());
    switch (await this.attestations.add(entry)) {
      case 'added':
        return entry;
      case 'exists':
        throw new Problem(409, 'already_attested', 'This was recorded before.');
      case 'no_bottle':
        throw Problem.notFound('bottle');
    }
  }

  /** The entries about a bottle's doses, by slot, newest first. @throws Problem 400 for an invalid range or cursor, 404 */
  async list(id: Types.ObjectId, query: HistoryQuery): Promise<Page<AttestationDto>> {
    const now = this.clock.now();
    const range = readRange(query, new Date(now.getTime() + AHEAD_MS), DEFAULT_SPAN);
    const [bottle, page] = await Promise.all([
      this.bottles.findById(id),
      readPage(query, {
        cursors: CURSORS,
        find: (before, limit) => this.attestations.findHistory(id, { ...range, before, limit }),
        positionOf: ({ _id, scheduled_at }) => ({ id: _id, time: scheduled_at }),
        show: (entries) => this.show(id, entries),
      }),
    ]);
    if (!bottle) throw Problem.notFound('bottle');
    return page;
  }

  /** The entries as they are sent. */
  async show(id: Types.ObjectId, entries: AttestationEntry[]): Promise<AttestationDto[]> {
    const slots = entries.map(({ scheduled_at }) => scheduled_at);
    const all = await this.attestations.findOfSlots(id, slots);
    const withdrawn = new Set(
      all.flatMap((one) => (one.kind === 'withdrawn' ? one.withdraws.toHexString() : [])),
    );
    return viewsOf(AttestationDto)(
      entries.map((entry) => ({ ...entry, is_withdrawn: withdrawn.has(entry._id.toHexString()) })),
    );
  }

  /** Puts beside a bottle's doses what people say of them. @param outcomeOf undefined while a dose has none */
  async beside<D extends { scheduled_at: Date; pills_taken: number }>(
    id: Types.ObjectId,
    doses: readonly D[],
    outcomeOf: (dose: D) => DoseOutcome['outcome'] | undefined,
  ): Promise<WithReport<D, AttestationEntry>[]> {
    const slots = doses.map(({ scheduled_at }) => scheduled_at);
    return withReports(doses, await this.attestations.findOfSlots(id, slots), outcomeOf);
  }
}

/** Also of a dose that is not monitored: people may know what became of it. */
function slotAt({ schedule_versions }: Bottle, at: Date, now: Date): Slot {
  if (at.getTime() > now.getTime() + AHEAD_MS)
    throw Problem.field('scheduled_at', 'out_of_range', 'scheduled_at must be at most 24 hours ahead');
  const slot = slotDueAt(schedule_versions, [], at);
  if (!slot)
    throw Problem.field(
      'scheduled_at',
      'unknown_dose',
      'scheduled_at must be the time of a dose of this bottle',
    );
  return slot;
}

function checkPills(pills: number | undefined, slot: Slot): void {
  if (pills !== undefined && pills > slot.pills)
    throw Problem.field('pills', 'out_of_range', `pills must not be greater than ${slot.pills}`);
}

function checkTime(taken: Date, { early_from }: Slot, now: Date): void {
  if (taken > now || taken < early_from)
    throw Problem.field(
      'taken_at',
      'out_of_range',
      'taken_at must be in the past, and when the dose could be taken',
    );
}
