import { type AlertKind, alertKindFacts, alertKindsThat, BY_URGENCY } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { type HistoryRange, newestFirst } from '../database/history.js';
import { ahead, behind } from '../database/keyset.js';
import { Alert, type AlertState } from './alert.schema.js';

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
}

/** The lists in which staff see alerts. */
@Injectable()
export class AlertListsRepository {
  constructor(@InjectModel(Alert.name) private readonly alerts: Model<Alert>) {}

  /** A page of alerts, newest first, by state, kind or bottle. */
  findPage({ state, kind, bottle_id, before, limit }: AlertPage): Promise<Alert[]> {
    const filter = { ...(state && { state }), ...(kind && { kind }), ...(bottle_id && { bottle_id }) };
    return this.alerts
      .find(behind<Alert>(filter, 'raised_at', before))
      .sort({ raised_at: -1, _id: -1 })
      .limit(limit)
      .lean<Alert[]>();
  }

  /** Alerts that need attention: open and not snoozed; within a kind, longest waiting first. */
  findNeedingAttention(page: UrgencyPage): Promise<Alert[]> {
    return this.findByUrgency(page, 'raised_at', 'needs_person', { state: 'open', snoozed_until: null });
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
    filter: QueryFilter<Alert>,
  ): Promise<Alert[]> {
    const kinds = kind ? [kind] : BY_URGENCY.slice(after ? BY_URGENCY.indexOf(after.kind) : 0);
    const ranges = kinds.flatMap((each) =>
      ahead<Alert>(
        { ...filter, ...ungrouped(each, groupedSince), kind: each },
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
      found.push(...(await some.lean<Alert[]>()));
    }
    return found;
  }

  /** The silences that are part of a fleet incident, oldest first. */
  findOfIncident({ raised_at, ended_at }: Alert, limit: number): Promise<Alert[]> {
    const during = { $gte: raised_at, ...(ended_at && { $lt: ended_at }) };
    return this.alerts
      .find({ kind: { $in: alertKindsThat('heldByFleetIncident') }, raised_at: during })
      .hint('by_kind')
      .sort({ raised_at: 1, _id: 1 })
      .limit(limit)
      .lean<Alert[]>();
  }

  /** A bottle's alerts by when they were raised, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange): Promise<Alert[]> {
    return newestFirst(this.alerts, { field: 'raised_at', hint: 'by_bottle_and_time' }, bottleId, range);
  }

  /** A bottle's alerts that have ended, by when they did, newest first. */
  findEnded(bottleId: Types.ObjectId, range: HistoryRange): Promise<Alert[]> {
    return newestFirst(this.alerts, { field: 'ended_at', hint: 'by_bottle_and_end' }, bottleId, range);
  }

  /** A bottle's alerts that staff closed, by when they did, newest first. */
  findClosed(bottleId: Types.ObjectId, range: HistoryRange): Promise<Alert[]> {
    return newestFirst(this.alerts, { field: 'closed_at', hint: 'by_bottle_and_closing' }, bottleId, range);
  }

  /** How many alerts are open, by kind. Counted on an index alone. */
  async countOpen(): Promise<Partial<Record<AlertKind, number>>> {
    const counts = await this.alerts
      .aggregate<{ _id: AlertKind; count: number }>([
        { $match: { state: { $in: ['open', 'acknowledged'] } } },
        { $group: { _id: '$kind', count: { $sum: 1 } } },
      ])
      .hint('by_state_and_kind');
    return Object.fromEntries(counts.map(({ _id, count }) => [_id, count]));
  }
}

/** Leaves out the alerts of a kind that are grouped under a fleet incident. */
function ungrouped(kind: AlertKind, groupedSince: Date | undefined): QueryFilter<Alert> {
  return groupedSince && alertKindFacts(kind).heldByFleetIncident ? { raised_at: { $lt: groupedSince } } : {};
}
