import { endOfCourse, goingOn, lastingPlan, planAt, type Schedule, type ScheduleVersion } from '#domain';
import { BottleHeartbeatsRepository, BottlesRepository, BottleStatesRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { type ById, Cursors, type Page, readPage } from '../http/paging.js';
import { summaryView } from './lookup.service.js';
import type { BottlePlanDto, ListPlansQuery } from './plans.dto.js';

const CURSORS = new Cursors<ById>('plans', { timed: false });

/** The bottles in use with their plans. */
@Injectable()
export class PlansService {
  constructor(
    private readonly states: BottleStatesRepository,
    private readonly bottles: BottlesRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly clock: Clock,
  ) {}

  list({ user_id, medication, ...query }: ListPlansQuery): Promise<Page<BottlePlanDto>> {
    return readPage(query, {
      cursors: CURSORS,
      find: (after, limit) => this.states.findPage({ user_id, medication, life: 'in_use', after, limit }),
      positionOf: ({ _id }) => ({ id: _id }),
      show: async (states) => {
        const ids = states.map(({ _id }) => _id);
        const [bottles, newest] = await Promise.all([
          this.bottles.findByIds(ids),
          this.heartbeats.findNewestOf(ids),
        ]);
        const now = this.clock.now();
        const registered = new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle]));
        return states.flatMap((state) => {
          const id = state._id.toHexString();
          const bottle = registered.get(id);
          // it is being erased
          if (!bottle) return [];
          const { pills_left } = summaryView(state, newest.get(id) ?? null, bottle);
          const { user_id, medication, label, time_zone, schedule_versions, shared_plans } = bottle;
          const steps = stepsOf(schedule_versions, now);
          return {
            bottle_id: id,
            user_id,
            medication,
            label: label || null,
            time_zone,
            number_of_pills: pills_left,
            plan_of: lastingPlan(shared_plans)?.of.toHexString() ?? null,
            steps,
          };
        });
      },
    });
  }
}

/** What is still to come of a plan. */
function stepsOf(versions: readonly ScheduleVersion[], now: Date): Schedule[] {
  return planAt(versions, now)
    .filter((version) => endOfCourse(version) > now.getTime())
    .flatMap((version) => goingOn(version, now) ?? []);
}
