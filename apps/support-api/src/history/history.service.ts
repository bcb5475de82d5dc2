import {
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
  DoseOutcomesRepository,
  type HistoryRange,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Cursors } from '../http/cursor.js';
import { toObjectId } from '../http/object-id.js';
import { cutPage, DEFAULT_LIMIT, type Page } from '../http/paging.js';
import type { HistoryQuery } from './history-query.dto.js';
import { readRange } from './range.js';
import {
  type ActionDto,
  actionView,
  type DoseDto,
  doseView,
  type HeartbeatDto,
  heartbeatView,
} from './history-views.dto.js';

const DEFAULT_SPAN = 7 * 24 * 60 * 60_000;
const CURSORS = {
  actions: new Cursors('actions', { timed: true }),
  heartbeats: new Cursors('heartbeats', { timed: true }),
  doses: new Cursors('doses', { timed: true }),
};

/** What was reported of a bottle, and what became of its doses, newest first. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly actionLog: BottleActionsRepository,
    private readonly heartbeatLog: BottleHeartbeatsRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly clock: Clock,
  ) {}

  actions(id: Types.ObjectId, query: HistoryQuery): Promise<Page<ActionDto>> {
    return this.page(
      id,
      query,
      CURSORS.actions,
      (range) => this.actionLog.findHistory(id, range),
      actionView,
      ({ time }) => time,
    );
  }

  heartbeats(id: Types.ObjectId, query: HistoryQuery): Promise<Page<HeartbeatDto>> {
    return this.page(
      id,
      query,
      CURSORS.heartbeats,
      (range) => this.heartbeatLog.findHistory(id, range),
      heartbeatView,
      ({ time }) => time,
    );
  }

  doses(id: Types.ObjectId, query: HistoryQuery): Promise<Page<DoseDto>> {
    return this.page(
      id,
      query,
      CURSORS.doses,
      (range) => this.outcomes.findHistory(id, range),
      doseView,
      ({ scheduled_at }) => scheduled_at,
    );
  }

  /** @throws Problem 400 for a range or cursor that cannot be, 404 for a bottle that is not there. */
  private async page<D extends { _id: Types.ObjectId }, T>(
    id: Types.ObjectId,
    query: HistoryQuery,
    cursors: Cursors,
    find: (range: HistoryRange) => Promise<D[]>,
    view: (entry: D) => T,
    timeOf: (entry: D) => Date,
  ): Promise<Page<T>> {
    const { limit = DEFAULT_LIMIT, cursor } = query;
    const range = readRange(query, this.clock.now(), DEFAULT_SPAN);
    const before = cursor === undefined ? undefined : positionOf(cursors, cursor);
    const [bottle, found] = await Promise.all([
      this.bottles.findById(id),
      find({ ...range, before, limit: limit + 1 }),
    ]);
    if (!bottle) throw Problem.notFound('bottle');
    return cutPage(found, limit, view, (last) =>
      cursors.encode({ id: last._id.toHexString(), time: timeOf(last) }),
    );
  }
}

function positionOf(cursors: Cursors, cursor: string): HistoryRange['before'] {
  const { time, id } = cursors.decode(cursor);
  return { time: time!, id: toObjectId(id, 'cursor') };
}
