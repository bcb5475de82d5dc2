import {
  ACTIVE_STATES,
  type AlertKind,
  alertKindFacts,
  alertKindsThat,
  type AlertState,
  BY_URGENCY,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { type HistoryRange, newestFirst } from '../database/history.js';
import { CANARIES, NO_CANARY } from '../canaries/canaries.js';
import { ahead, behind } from '../database/keyset.js';
import { ALERT, type Alert, type AlertRecord } from './alert.schema.js';
import { readAll } from './read-alert.js';

/** A page of alerts, newest first. */
export interface AlertPage {
  state?: AlertState;
  kind?: AlertKind;
  bottle_id?: Types.ObjectId;
  before?: { time: Date; id: Types.ObjectId };
  limit: number;
}

/** A page by urgency of the kind, then by time, earliest first. */
export interface UrgencyPage {
  kind?: AlertKind;
  after?: { kind: AlertKind; time: Date; id: Types.ObjectId };
  limit: number;
  /** When the open fleet incident was raised: the silences since then are grouped under it. */
  groupedSince?: Date | undefined;
  /** Only those that nobody takes care of. */
  unassigned?: boolean;
}

/** Numbers of alerts; a kind without alerts is absent. */
type ByKind = ReadonlyMap<AlertKind, number>;

const NONE: ByKind = new Map();

export interface AlertCounts {
  /** Open or acknowledged. */
  active: ByKind;
  /** Those of {@link AlertListsRepository.findNeedingAttention}. */
  attention: ByKind;
  /** Of these, those that nobody takes care of. */
  unassigned: ByKind;
}

/** Reminders of doses are no business of the staff's: they are listed if they are asked for. */
const ALARMING = { kind: { $nin: alertKindsThat('reminds') } } as const;

/** The lists in which staff see alerts. Canaries are in none of them, only in a canary's own. */
@Injectable()
export class AlertListsRepository {
  constructor(@InjectModel(ALERT) private readonly alerts: Model<AlertRecord>) {}

  /** A page of alerts, newest first, by state, kind or bottle. */
  findPage({ state, kind, bottle_id, before, limit }: AlertPage): Promise<Alert[]> {
    const filter = {
      ...(state && { state }),
      ...(kind ? { kind } : ALARMING),
      // unlike NO_CANARY it leaves out nothing that is broken: that is an error, and not a shorter list
      bottle_id: bottle_id ?? { $not: CANARIES },
    };
    return readAll(
      this.alerts
        .find(behind<AlertRecord>(filter, 'raised_at', before))
        .sort({ raised_at: -1, _id: -1 })
        .limit(limit)
        .lean<AlertRecord[]>(),
    );
  }

  /** Alerts that need attention: open and not snoozed; within a kind, longest waiting first. */
  findNeedingAttention(page: UrgencyPage): Promise<Alert[]> {
    const filter: QueryFilter<AlertRecord> = {
      state: 'open',
      snoozed_until: null,
      ...(page.unassigned && { 'assigned_to.id': null }),
    };
    return this.findByUrgency(page, 'raised_at', 'needs_person', filter);
  }

  /**
   * Alerts that a member of staff takes care of, also acknowledged and snoozed ones; within a kind, longest waiting first.
   */
  findAssignedTo(id: string, page: UrgencyPage): Promise<Alert[]> {
    const filter = { 'assigned_to.id': id, open: true, state: { $in: [...ACTIVE_STATES] } } as const;
    return this.findByUrgency(page, 'raised_at', 'by_assignee', filter);
  }

  /** Snoozed alerts; within a kind, the snooze that ends first comes first. */
  findSnoozed(page: UrgencyPage): Promise<Alert[]> {
    return this.findByUrgency(page, 'snoozed_until', 'snoozed', { snoozed_until: { $gt: new Date(0) } });
  }

  /** Reads kind by kind until the page is full: each read is a range of an index that begins with the kind. */
  private async findByUrgency(
    { kind, after, limit, groupedSince }: UrgencyPage,
    time: 'raised_at' | 'snoozed_until',
    index: string,
    filter: QueryFilter<AlertRecord>,
  ): Promise<Alert[]> {
    const kinds = kind ? [kind] : BY_URGENCY.slice(after ? BY_URGENCY.indexOf(after.kind) : 0);
    const ranges = kinds.flatMap((each) =>
      ahead<AlertRecord>(
        { ...filter, ...ungrouped(each, groupedSince), kind: each, bottle_id: NO_CANARY },
        time,
        each === after?.kind ? after : undefined,
      ),
    );
    const found: Alert[] = [];
    for (const { filter: range, sort } of ranges) {
      if (found.length === limit) break;
      const some = this.alerts
        .find(range)
        .hint(index)
        .sort(sort)
        .limit(limit - found.length);
      found.push(...(await readAll(some.lean<AlertRecord[]>())));
    }
    return found;
  }

  /** The silences that are part of a fleet incident, oldest first. */
  findOfIncident({ raised_at, ended_at }: Alert, limit: number): Promise<Alert[]> {
    const during = { $gte: raised_at, ...(ended_at && { $lt: ended_at }) };
    return readAll(
      this.alerts
        .find({
          kind: { $in: alertKindsThat('heldByFleetIncident') },
          raised_at: during,
          bottle_id: NO_CANARY,
        })
        .hint('by_kind')
        .sort({ raised_at: 1, _id: 1 })
        .limit(limit)
        .lean<AlertRecord[]>(),
    );
  }

  /** A bottle's alerts by when they were raised, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange): Promise<Alert[]> {
    return readAll(
      newestFirst(
        this.alerts,
        { field: 'raised_at', hint: 'by_bottle_and_time', where: ALARMING },
        bottleId,
        range,
      ),
    );
  }

  /** The alerts of these bottles whose condition ended after `from`, or lasts, with reminders of doses. */
  async findLastingAfter(bottleIds: Types.ObjectId[], from: Date): Promise<Alert[]> {
    const [ended, lasting] = await Promise.all([
      readAll(
        this.alerts
          .find({ bottle_id: { $in: bottleIds }, ended_at: { $gt: from } })
          .hint('by_bottle_and_end')
          .lean<AlertRecord[]>(),
      ),
      readAll(
        this.alerts
          .find({ bottle_id: { $in: bottleIds }, open: true })
          .hint('one_open')
          .lean<AlertRecord[]>(),
      ),
    ]);
    return [...ended, ...lasting];
  }

  /** A bottle's alerts that have ended, by when they did, newest first. */
  findEnded(bottleId: Types.ObjectId, range: HistoryRange): Promise<Alert[]> {
    return readAll(
      newestFirst(
        this.alerts,
        { field: 'ended_at', hint: 'by_bottle_and_end', where: ALARMING },
        bottleId,
        range,
      ),
    );
  }

  /** A bottle's alerts that staff closed, by when they did, newest first. */
  findClosed(bottleId: Types.ObjectId, range: HistoryRange): Promise<Alert[]> {
    return readAll(
      newestFirst(
        this.alerts,
        { field: 'closed_at', hint: 'by_bottle_and_closing', where: ALARMING },
        bottleId,
        range,
      ),
    );
  }

  /**
   * How many alerts are open or acknowledged, how many of them need attention, and of how many of these nobody takes care,
   * by kind. Counted on indexes alone, but for those of canaries, which are left out, and those that somebody takes care of;
   * during a fleet incident, snoozed alerts are read.
   *
   * @param groupedSince as in {@link UrgencyPage}
   */
  async countActive(groupedSince: Date | undefined): Promise<AlertCounts> {
    const grouped = {
      kind: { $in: alertKindsThat('heldByFleetIncident') },
      raised_at: { $gte: groupedSince },
    };
    const listed = groupedSince ? { $nor: [grouped] } : {};
    const [open, acknowledged, snoozed, assigned, hidden] = await Promise.all([
      this.countByKind({ state: 'open' }, 'by_state_and_kind'),
      this.countByKind({ state: 'acknowledged' }, 'by_state_and_kind'),
      this.countByKind(
        { ...listed, kind: { $in: [...BY_URGENCY] }, snoozed_until: { $gt: new Date(0) } },
        'snoozed',
      ),
      this.countByKind(
        { ...listed, 'assigned_to.id': { $gt: '' }, open: true, state: 'open', snoozed_until: null },
        'by_assignee',
      ),
      groupedSince ? this.countByKind({ ...grouped, state: 'open' }, 'by_state_and_kind') : NONE,
    ]);
    const kinds = BY_URGENCY.filter((kind) => open.has(kind) || acknowledged.has(kind));
    const count = (counts: ByKind, kind: AlertKind): number => counts.get(kind) ?? 0;
    const attention: ByKind = new Map(
      kinds.map((kind) => [kind, count(open, kind) - count(snoozed, kind) - count(hidden, kind)]),
    );
    return {
      active: new Map(kinds.map((kind) => [kind, count(open, kind) + count(acknowledged, kind)])),
      attention,
      unassigned: new Map(kinds.map((kind) => [kind, count(attention, kind) - count(assigned, kind)])),
    };
  }

  /** Without those of canaries, which are few. */
  private async countByKind(filter: QueryFilter<AlertRecord>, index: string): Promise<ByKind> {
    const [all, ofCanaries] = await Promise.all([
      this.alerts
        .aggregate<{ _id: AlertKind; count: number }>([
          { $match: filter },
          { $group: { _id: '$kind', count: { $sum: 1 } } },
        ])
        .hint(index),
      this.alerts
        .find({ ...filter, open: true, bottle_id: CANARIES }, { kind: 1 })
        .hint('one_open')
        .lean<Pick<Alert, 'kind'>[]>(),
    ]);
    const counts = all.map(({ _id, count }): [AlertKind, number] => [
      _id,
      count - ofCanaries.filter(({ kind }) => kind === _id).length,
    ]);
    return new Map(counts.filter(([, count]) => count > 0));
  }
}

/** Leaves out the alerts of a kind that are grouped under a fleet incident. */
function ungrouped(kind: AlertKind, groupedSince: Date | undefined): QueryFilter<AlertRecord> {
  return groupedSince && alertKindFacts(kind).heldByFleetIncident ? { raised_at: { $lt: groupedSince } } : {};
}
