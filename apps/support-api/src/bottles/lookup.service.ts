import { nextSlotAfter } from '#domain';
import {
  AlertsRepository,
  BottlesRepository,
  type BottleState,
  BottleStatesRepository,
  DeliveriesRepository,
  DoseOutcomesRepository,
  type StateFilter,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { alertViews } from '../alerts/alert-views.dto.js';
import { Cursors } from '../http/cursor.js';
import { toObjectId } from '../http/object-id.js';
import { cutPage, DEFAULT_LIMIT, type Page } from '../http/paging.js';
import type { ListBottlesQuery } from './bottle-requests.dto.js';
import {
  type BottleDto,
  type BottleSummaryDto,
  bottleView,
  pillsLeft,
  summaryView,
} from './bottle-views.dto.js';
import { daysLeft } from './days-left.js';
import { FindService } from './find.service.js';
import { decodeFound, encodeFound } from './found-cursor.js';
import { versionInForce } from './schedules.service.js';
import { statusReasons } from './status-reasons.js';

const CURSORS = new Cursors('bottles', { timed: false });
const LAST_DOSES = 3;

/** What staff see of bottles. */
@Injectable()
export class LookupService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly finder: FindService,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  list({ q, ...query }: ListBottlesQuery): Promise<Page<BottleSummaryDto>> {
    return q === undefined ? this.listByFilter(query) : this.listFound(q, query);
  }

  private async listByFilter({
    cursor,
    limit = DEFAULT_LIMIT,
    ...query
  }: Omit<ListBottlesQuery, 'q'>): Promise<Page<BottleSummaryDto>> {
    const found = await this.states.findPage({
      ...filterOf(query),
      ...(cursor === undefined ? {} : { after: toObjectId(CURSORS.decode(cursor).id, 'cursor') }),
      limit: limit + 1,
    });
    const { items, ...rest } = cutPage(
      found,
      limit,
      (state) => state,
      ({ _id }) => CURSORS.encode({ id: _id.toHexString() }),
    );
    return { items: await this.summaries(items), ...rest };
  }

  private async listFound(
    part: string,
    { cursor, limit = DEFAULT_LIMIT, ...query }: Omit<ListBottlesQuery, 'q'>,
  ): Promise<Page<BottleSummaryDto>> {
    const after = cursor === undefined ? undefined : decodeFound(cursor);
    const { states, next } = await this.finder.find(part.trim(), filterOf(query), after, limit);
    return { items: await this.summaries(states), ...(next && { next_cursor: encodeFound(next) }) };
  }

  private async summaries(states: BottleState[]): Promise<BottleSummaryDto[]> {
    const bottles = await this.bottles.findByIds(states.map(({ _id }) => _id));
    const registered = new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle]));
    return states.map((state) => summaryView(state, registered.get(state._id.toHexString())));
  }

  /** @throws Problem 404 */
  async get(id: Types.ObjectId): Promise<BottleDto> {
    const now = this.clock.now();
    const [bottle, state, doses, openAlerts] = await Promise.all([
      this.bottles.findById(id),
      this.states.findById(id),
      this.outcomes.findHistory(id, { from: new Date(0), to: now, limit: LAST_DOSES }),
      this.alerts.findOpen([id]),
    ]);
    if (!bottle || !state) throw Problem.notFound('bottle');
    const dead = await this.deliveries.countDead(openAlerts.map(({ _id }) => _id));
    const { schedule_versions: versions, pauses } = bottle;
    return bottleView({
      bottle,
      state,
      reasons: statusReasons(bottle, state, openAlerts),
      inForce: versionInForce(versions, now),
      coming: versions.filter(({ effective_from }) => effective_from > now),
      pauses: pauses.filter(({ to }) => to > now),
      daysLeft: daysLeft(bottle, pillsLeft(state, bottle), now),
      doses,
      next: nextSlotAfter(versions, pauses, now),
      openAlerts: alertViews(openAlerts, dead),
    });
  }
}

function filterOf({ status, user_id, medication }: ListBottlesQuery): StateFilter {
  return {
    ...(status && { status }),
    ...(user_id === undefined ? {} : { user_id }),
    ...(medication === undefined ? {} : { medication }),
  };
}
