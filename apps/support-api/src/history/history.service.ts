import { DAY_MS } from '#domain';
import {
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
  DoseOutcomesRepository,
  type HistoryRange,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable, type Type } from '@nestjs/common';
import type { Types } from 'mongoose';
import { AttestationsService } from '../attestations/attestations.service.js';
import { type ByTime, Cursors, type Page, readPage } from '../http/paging.js';
import { readRange } from '../http/time-range.js';
import { type Source, viewsOf } from '../http/view.js';
import { ActionDto, DoseDto, HeartbeatDto, type HistoryQuery } from './history.dto.js';

const DEFAULT_SPAN = 7 * DAY_MS;

/** One kind of history. */
interface History<D, T> {
  name: 'actions' | 'heartbeats' | 'doses';
  view: Type<T>;
  find: (range: HistoryRange) => Promise<(D & Source<T>)[]>;
  timeOf: (entry: D) => Date;
}

/** The reports and dose outcomes of a bottle, newest first. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly actionLog: BottleActionsRepository,
    private readonly heartbeatLog: BottleHeartbeatsRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly attestations: AttestationsService,
    private readonly clock: Clock,
  ) {}

  actions(id: Types.ObjectId, query: HistoryQuery): Promise<Page<ActionDto>> {
    return this.page(id, query, {
      name: 'actions',
      view: ActionDto,
      find: (range) => this.actionLog.findHistory(id, range),
      timeOf: ({ time }) => time,
    });
  }

  heartbeats(id: Types.ObjectId, query: HistoryQuery): Promise<Page<HeartbeatDto>> {
    return this.page(id, query, {
      name: 'heartbeats',
      view: HeartbeatDto,
      find: (range) => this.heartbeatLog.findHistory(id, range),
      timeOf: ({ time }) => time,
    });
  }

  doses(id: Types.ObjectId, query: HistoryQuery): Promise<Page<DoseDto>> {
    return this.page(id, query, {
      name: 'doses',
      view: DoseDto,
      find: async (range) =>
        this.attestations.beside(id, await this.outcomes.findHistory(id, range), ({ outcome }) => outcome),
      timeOf: ({ scheduled_at }) => scheduled_at,
    });
  }

  /** @throws Problem 400 for an invalid range or cursor, 404 for an unknown bottle */
  private async page<D extends { _id: Types.ObjectId }, T extends object>(
    id: Types.ObjectId,
    query: HistoryQuery,
    { name, view, find, timeOf }: History<D, T>,
  ): Promise<Page<T>> {
    const range = readRange(query, this.clock.now(), DEFAULT_SPAN);
    const [bottle, page] = await Promise.all([
      this.bottles.findById(id),
      readPage(query, {
        cursors: new Cursors<ByTime>(name, { timed: true }),
        find: (before, limit) => find({ ...range, before, limit }),
        positionOf: (entry) => ({ id: entry._id, time: timeOf(entry) }),
        show: viewsOf(view),
      }),
    ]);
    if (!bottle) throw Problem.notFound('bottle');
    return page;
  }
}
