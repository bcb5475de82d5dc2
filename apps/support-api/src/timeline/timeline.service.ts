import {
  type Alert,
  AlertListsRepository,
  BottleActionsRepository,
  BottlesRepository,
  DeliveriesRepository,
  type HistoryRange,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { alertViews } from '../alerts/alert-views.dto.js';
import { deliveryView } from '../deliveries/delivery-views.dto.js';
import { actionView } from '../history/history-views.dto.js';
import { readRange } from '../history/range.js';
import { DEFAULT_LIMIT, type Page } from '../http/paging.js';
import { beginningOf, HeartbeatGaps } from './heartbeat-gaps.js';
import { cursorAt, cursorBelow, inOrder, leftOf, type Place, readCursor } from './place.js';
import type { TimelineEntryDto, TimelineKind, TimelineQuery } from './timeline.dto.js';

const BEGINNING = new Date(0).toISOString();

/** One thing that happened, its place, and what is shown of it. */
interface Found extends Place {
  shown: Omit<TimelineEntryDto, 'at' | 'kind'>;
}

/** What one log has of a page. */
interface Part {
  found: Found[];
  /** Where reading stopped short: what is older may be missing. */
  completeFrom?: Date;
}

type Reader = (id: Types.ObjectId, range: HistoryRange<string>) => Promise<Part>;

/** All that happened to a bottle, newest first, out of the logs that each know a part of it. */
@Injectable()
export class TimelineService {
  private readonly readers: Record<TimelineKind, Reader> = {
    message: (id, range) => this.messages(id, range),
    alert_ended: (id, range) => this.endedAlerts(id, range),
    alert_raised: (id, range) => this.raisedAlerts(id, range),
    heartbeats_missed: (id, range) => this.missedHeartbeats(id, range),
    action: (id, range) => this.actions(id, range),
  };

  constructor(
    private readonly bottles: BottlesRepository,
    private readonly actionLog: BottleActionsRepository,
    private readonly gaps: HeartbeatGaps,
    private readonly alerts: AlertListsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * A page. Each log is read for as much as the page holds. Where more heartbeats would have to be looked through
   * than one page may, it ends earlier than it must, with a cursor.
   *
   * @throws Problem 400 for a range or cursor that cannot be, 404 for a bottle that is not there.
   */
  async of(
    id: Types.ObjectId,
    { limit = DEFAULT_LIMIT, cursor, from = BEGINNING, to }: TimelineQuery,
  ): Promise<Page<TimelineEntryDto>> {
    const range = readRange({ from, ...(to === undefined ? {} : { to }) }, this.clock.now(), 0);
    const end = cursor === undefined ? undefined : readCursor(cursor);
    const kinds = Object.entries(this.readers) as [TimelineKind, Reader][];
    const [bottle, ...parts] = await Promise.all([
      this.bottles.findById(id),
      ...kinds.map(([kind, read]) => read(id, { ...leftOf(kind, range, end), limit: limit + 1 })),
    ]);
    if (!bottle) throw Problem.notFound('bottle');
    const completeFrom = latest(parts.flatMap((part) => part.completeFrom ?? []));
    const found = parts
      .flatMap((part) => part.found)
      .filter(({ time }) => !completeFrom || time >= completeFrom)
      .sort(inOrder);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const more = last && found.length > limit ? cursorAt(last) : completeFrom && cursorBelow(completeFrom);
    return { items: shown.map(entryView), ...(more === undefined ? {} : { next_cursor: more }) };
  }

  private async actions(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const found = await this.actionLog.findHistory(id, byObjectId(range));
    return {
      found: found.map((action) => ({
        ...placed('action', action.time, action._id.toHexString()),
        shown: { action: actionView(action) },
      })),
    };
  }

  private async raisedAlerts(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const alerts = await this.alerts.findHistory(id, byObjectId(range));
    return this.placeAlerts('alert_raised', alerts, ({ raised_at }) => raised_at);
  }

  private async endedAlerts(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const alerts = await this.alerts.findEnded(id, byObjectId(range));
    return this.placeAlerts('alert_ended', alerts, ({ ended_at }) => ended_at!);
  }

  private async placeAlerts(
    kind: TimelineKind,
    alerts: readonly Alert[],
    timeOf: (alert: Alert) => Date,
  ): Promise<Part> {
    const dead = await this.deliveries.countDead(alerts.map(({ _id }) => _id));
    const views = alertViews(alerts, dead);
    return {
      found: alerts.map((alert, index) => ({
        ...placed(kind, timeOf(alert), alert._id.toHexString()),
        shown: { alert: views[index]! },
      })),
    };
  }

  private async messages(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const found = await this.deliveries.findHistory(id, range);
    return {
      found: found.map((delivery) => ({
        ...placed('message', delivery.created_at, delivery._id),
        shown: { message: deliveryView(delivery) },
      })),
    };
  }

  private async missedHeartbeats(
    id: Types.ObjectId,
    { from, to, before, limit }: HistoryRange<string>,
  ): Promise<Part> {
    const { gaps, ...rest } = await this.gaps.find(id, { from, to: before?.time ?? to, limit });
    const shown = await this.gaps.show(gaps);
    return {
      ...rest,
      found: gaps.map((gap, index) => ({
        ...placed('heartbeats_missed', beginningOf(gap), ''),
        shown: { gap: shown[index]! },
      })),
    };
  }
}

function placed(kind: TimelineKind, time: Date, id: string): Place {
  return { time, kind, id };
}

function entryView({ time, kind, shown }: Found): TimelineEntryDto {
  return { at: time, kind, ...shown };
}

function byObjectId({ before, ...range }: HistoryRange<string>): HistoryRange {
  return before
    ? { ...range, before: { time: before.time, id: new Types.ObjectId(before.id.slice(-24)) } }
    : range;
}

function latest(times: readonly Date[]): Date | undefined {
  return times.length === 0 ? undefined : new Date(Math.max(...times.map((time) => time.getTime())));
}
