import { currentProblems, derivedMessageId, userIn } from '#domain';
import {
  type Alert,
  AlertListsRepository,
  BottleActionsRepository,
  BottlesRepository,
  BottleStatesRepository,
  ContactsRepository,
  DeliveryListsRepository,
  type HistoryRange,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AlertViews } from '../alerts/alert-views.js';
import { ReportProblemDto } from '../bottles/device.dto.js';
import { deliveryView } from '../deliveries/delivery.dto.js';
import { ActionDto } from '../history/history.dto.js';
import { DEFAULT_LIMIT, type Page } from '../http/paging.js';
import { readRange } from '../http/time-range.js';
import { viewOf } from '../http/view.js';
import { beginningOf, HeartbeatGaps } from './heartbeat-gaps.js';
import { comparePlaces, cursorAt, cursorBefore, type Place, readCursor, remainingRange } from './place.js';
import type { TimelineEntryDto, TimelineKind, TimelineQuery } from './timeline.dto.js';

const BEGINNING = new Date(0).toISOString();

/** An event: its place, and its content. */
interface Entry extends Place {
  content: Omit<TimelineEntryDto, 'at' | 'kind'>;
}

/** What one log contributes to a page. */
interface Part {
  entries: Entry[];
  /** Reading stopped here: older entries may be missing. */
  completeFrom?: Date;
}

type Reader = (id: Types.ObjectId, range: HistoryRange<string>) => Promise<Part>;

/** Everything that happened to a bottle, newest first, merged from several logs. */
@Injectable()
export class TimelineService {
  private readonly readers: Record<TimelineKind, Reader> = {
    message: (id, range) => this.notifications(id, range),
    alert_ended: (id, range) => this.endedAlerts(id, range),
    alert_closed: (id, range) => this.closedAlerts(id, range),
    alert_raised: (id, range) => this.raisedAlerts(id, range),
    heartbeats_missed: (id, range) => this.missedHeartbeats(id, range),
    action: (id, range) => this.actions(id, range),
    reports_refused: (id, range) => this.refusals(id, range),
  };

  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly actionLog: BottleActionsRepository,
    private readonly gaps: HeartbeatGaps,
    private readonly alerts: AlertListsRepository,
    private readonly alertViews: AlertViews,
    private readonly deliveryLists: DeliveryListsRepository,
    private readonly contacts: ContactsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads a page. Each log is read for a whole page. If a page would need too many heartbeats, it is short and has a
   * cursor.
   *
   * @throws Problem 400 for an invalid range or cursor, 404 for an unknown bottle
   */
  async of(
    id: Types.ObjectId,
    { limit = DEFAULT_LIMIT, cursor, from = BEGINNING, to }: TimelineQuery,
  ): Promise<Page<TimelineEntryDto>> {
    const range = readRange({ from, to }, this.clock.now(), 0);
    const end = cursor === undefined ? undefined : readCursor(cursor);
    const kinds = Object.entries(this.readers) as [TimelineKind, Reader][];
    const [bottle, ...parts] = await Promise.all([
      this.bottles.findById(id),
      ...kinds.map(([kind, read]) => read(id, { ...remainingRange(kind, range, end), limit: limit + 1 })),
    ]);
    if (!bottle) throw Problem.notFound('bottle');
    const completeFrom = latest(parts.flatMap((part) => part.completeFrom ?? []));
    const entries = parts
      .flatMap((part) => part.entries)
      .filter(({ time }) => !completeFrom || time >= completeFrom)
      .sort(comparePlaces);
    const page = entries.slice(0, limit);
    const last = page.at(-1);
    const next = last && entries.length > limit ? cursorAt(last) : completeFrom && cursorBefore(completeFrom);
    return {
      items: page.map(({ time, kind, content }) => ({ at: time, kind, ...content })),
      ...(next !== undefined && { next_cursor: next }),
    };
  }

  private async actions(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const actions = await this.actionLog.findHistory(id, byObjectId(range));
    return {
      entries: actions.map((action) => ({
        time: action.time,
        kind: 'action',
        id: action._id.toHexString(),
        content: { action: viewOf(ActionDto, action) },
      })),
    };
  }

  /** Of each reason one entry, when the first report was refused for it. */
  private async refusals(id: Types.ObjectId, { from, to, before }: HistoryRange<string>): Promise<Part> {
    const state = await this.states.findById(id);
    const entries = currentProblems(state?.report_problems ?? [], this.clock.now())
      .filter(({ effect }) => effect === 'refused')
      .map((problem): Entry => ({
        time: problem.first_at,
        kind: 'reports_refused',
        id: derivedMessageId(problem.reason, problem.field),
        content: { refusal: viewOf(ReportProblemDto, problem) },
      }));
    return {
      entries: entries.filter(
        ({ time, id: own }) =>
          time >= from &&
          time < to &&
          (!before || time < before.time || (time.getTime() === before.time.getTime() && own < before.id)),
      ),
    };
  }

  private async raisedAlerts(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const alerts = await this.alerts.findHistory(id, byObjectId(range));
    return this.alertEntries('alert_raised', alerts, ({ raised_at }) => raised_at);
  }

  private async endedAlerts(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const alerts = await this.alerts.findEnded(id, byObjectId(range));
    return this.alertEntries('alert_ended', alerts, ({ ended_at }) => ended_at!);
  }

  private async closedAlerts(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const alerts = await this.alerts.findClosed(id, byObjectId(range));
    return this.alertEntries('alert_closed', alerts, ({ closed_at }) => closed_at!);
  }

  private async alertEntries(
    kind: TimelineKind,
    alerts: readonly Alert[],
    timeOf: (alert: Alert) => Date,
  ): Promise<Part> {
    const shown = await this.alertViews.show(alerts);
    return {
      entries: alerts.map((alert, index) => ({
        time: timeOf(alert),
        kind,
        id: alert._id.toHexString(),
        content: { alert: shown[index]! },
      })),
    };
  }

  private async notifications(id: Types.ObjectId, range: HistoryRange<string>): Promise<Part> {
    const deliveries = await this.deliveryLists.findHistory(id, range);
    const users = new Set(deliveries.flatMap(({ recipient }) => userIn(recipient) ?? []));
    const contacts = await this.contacts.findByUsers([...users]);
    const contactOf = (recipient: string) => contacts.find(({ _id }) => _id === userIn(recipient));
    return {
      entries: deliveries.map((delivery) => ({
        time: delivery.created_at,
        kind: 'message',
        id: delivery._id,
        content: { message: deliveryView(delivery, contactOf(delivery.recipient)) },
      })),
    };
  }

  private async missedHeartbeats(
    id: Types.ObjectId,
    { from, to, before, limit }: HistoryRange<string>,
  ): Promise<Part> {
    const { gaps, ...rest } = await this.gaps.find(id, { from, to: before?.time ?? to, limit });
    const entries = gaps.map((gap): Entry => ({
      time: beginningOf(gap),
      kind: 'heartbeats_missed',
      id: '',
      content: { gap },
    }));
    return { ...rest, entries };
  }
}

function byObjectId({ before, ...range }: HistoryRange<string>): HistoryRange {
  return before
    ? { ...range, before: { time: before.time, id: new Types.ObjectId(before.id.slice(-24)) } }
    : range;
}

function latest(times: readonly Date[]): Date | undefined {
  return times.length === 0 ? undefined : new Date(Math.max(...times.map((time) => time.getTime())));
}
