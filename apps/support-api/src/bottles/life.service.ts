import {
  type BottleLife,
  type Closing,
  endPeriods,
  endPlan,
  endSharedPlan,
  isCanary,
  isInUse,
  onLeftUse,
  onUsedAgain,
  presentOf,
} from '#domain';
import {
  AlertActionsRepository,
  AlertsRepository,
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  type Expected,
  MOST_SCHEDULE_VERSIONS,
} from '#persistence';
import { Clock, definedOnly, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { SupportApiConfig } from '../config.js';
import { changedMeanwhile, requireVersion } from '../http/versions.js';
import type { AssignBottleDto, RetireDto, StoreDto } from './life.dto.js';
import { PeriodsService } from './periods.service.js';
import { readPlan } from './read-plan.js';
import { tooManySchedules } from './schedules.service.js';
import { SearchIndex } from './search-index.js';
import { SharedPlansService } from './shared-plans.service.js';

/** Bottles leave use and come into use again. What an interrupted request left, the reconcile does. */
@Injectable()
export class LifeService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly alerts: AlertsRepository,
    private readonly actions: AlertActionsRepository,
    private readonly periods: PeriodsService,
    private readonly plans: SharedPlansService,
    private readonly searchIndex: SearchIndex,
    private readonly config: SupportApiConfig,
    private readonly clock: Clock,
  ) {}

  /** It will not come back; its token stops. @throws Problem 404; 409 `canary`, `leads_plan`, `changed_meanwhile`; 412 */
  retire(id: Types.ObjectId, body: RetireDto, by: string, expected: Expected): Promise<void> {
    return this.leave(id, { state: 'retired', by, ...definedOnly({ ...body }) }, expected);
  }

  /** It is in a cupboard and goes on reporting. @throws as {@link retire} */
  store(id: Types.ObjectId, body: StoreDto, by: string, expected: Expected): Promise<void> {
    return this.leave(id, { state: 'stored', by, ...definedOnly({ ...body }) }, expected);
  }

  private async leave(
    id: Types.ObjectId,
    life: Omit<BottleLife, 'since' | 'state'> & { state: 'stored' | 'retired' },
    expected: Expected,
  ): Promise<void> {
    const seen = await this.find(id, expected);
    await this.plans.assertNoMembers(seen);
    const at = presentOf(seen.schedule_versions, this.clock.now());
    // repeated, it corrects the reason
    const since = seen.life?.state === life.state ? seen.life.since : at;
    const schedule_versions = endPlan(seen.schedule_versions, at);
    const shared = seen.shared_plans && { shared_plans: endSharedPlan(seen.shared_plans, at) };
    await this.change(seen, at, { schedule_versions, life: { ...life, since }, ...shared }, expected);
    const closing: Closing = { by: life.by, at, reason: 'not_in_use', notified: true };
    await this.closeAlerts(id, closing);
    await this.plans.onLeft(seen, at);
    await this.states.change(id, onLeftUse(life.state, at));
    // those that were raised meanwhile
    await this.closeAlerts(id, closing);
  }

  private async closeAlerts(id: Types.ObjectId, closing: Closing): Promise<void> {
    await this.actions.closeOfBottle(await this.alerts.findOpenAlarms([id]), closing);
  }

  /**
   * A stored or retired bottle is somebody's again, with a plan of its own.
   *
   * @throws Problem 400 for an invalid schedule; 409 `bottle_in_use`; otherwise as {@link retire}
   */
  async assign(
    id: Types.ObjectId,
    { user_id, note, ...plan }: AssignBottleDto,
    by: string,
    expected: Expected,
  ): Promise<void> {
    const seen = await this.find(id, expected);
    if (isInUse(seen))
      throw new Problem(409, 'bottle_in_use', 'Only a stored or retired bottle is assigned.');
    const at = presentOf(seen.schedule_versions, this.clock.now());
    const added = readPlan(plan, seen.time_zone, at);
    const schedule_versions = [...seen.schedule_versions, ...added];
    if (schedule_versions.length > MOST_SCHEDULE_VERSIONS) throw tooManySchedules();
    const life: BottleLife = { state: 'in_use', since: at, by, ...definedOnly({ note }) };
    await this.searchIndex.addUser(seen, user_id);
    // what was entered meanwhile is of a time of nobody's
    await this.change(seen, seen.life?.since ?? at, { schedule_versions, life, user_id }, expected);
    await this.states.change(id, onUsedAgain({ user_id }, at, this.config.SILENT_BOTTLE_AFTER));
    await this.periods.onHandover(id, user_id, at);
    await this.searchIndex.removePreviousUsers(id);
    await this.searchIndex.refreshPeople([seen.user_id, user_id]);
  }

  /** @param leftUseAt when it left use: its periods end then */
  private async change(
    seen: Bottle,
    leftUseAt: Date,
    change: Omit<Parameters<BottlesRepository['changeLife']>[1], 'pauses'>,
    expected: Expected,
  ): Promise<void> {
    const pauses = endPeriods(seen.pauses, leftUseAt);
    if (await this.bottles.changeLife(seen, { ...change, pauses }, expected)) return;
    if (expected !== undefined) throw changedMeanwhile();
    throw new Problem(
      409,
      'changed_meanwhile',
      'Another request changed the bottle. Reload, then try again.',
    );
  }

  private async find(id: Types.ObjectId, expected: Expected): Promise<Bottle> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    requireVersion(bottle, expected);
    if (isCanary(id)) throw new Problem(409, 'canary', 'A canary stays in use until it is deleted.');
    return bottle;
  }
}
