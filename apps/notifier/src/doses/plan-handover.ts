import { isWithin, onPlanReport, onPlanWaits, sharedPlanAt, toJudge } from '#domain';
import { BottleStatesRepository, DeadlinesRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { JudgedBottle } from './dose-kind.js';

/**
 * Plans of several bottles: each reports for itself, and the doses are judged with the bottle that has the plan. Whatever
 * is written here may be written again, and before what it follows from is released: a crash in between repeats it.
 */
@Injectable()
export class PlanHandover {
  constructor(
    private readonly states: BottleStatesRepository,
    private readonly deadlines: DeadlinesRepository,
  ) {}

  /** What bottles have reported that are for the plans of others is judged there. @returns whether there is something */
  async handOver(page: readonly JudgedBottle[], now: Date): Promise<boolean> {
    let isHandedOver = false;
    for (const { bottle, state } of page) {
      const { shared_plans: shared = [] } = bottle;
      // of one that has never reported there is nothing
      if (shared.length === 0 || !state.last_heard_at) continue;
      const leaders = new Map(shared.map(({ of }) => [of.toHexString(), of]));
      for (const [id, leader] of leaders) {
        const own = shared.filter(({ of }) => of.toHexString() === id);
        const removals = (state.unjudged_removals ?? []).filter(({ time }) =>
          own.some((each) => isWithin(each, time)),
        );
        await this.states.change(leader, ...onPlanReport(removals, new Types.ObjectId(), now));
        isHandedOver = true;
      }
    }
    return isHandedOver;
  }

  /** The doses of these plans are judged again when a further bottle of them reports. */
  async awaitMembers(page: readonly JudgedBottle[]): Promise<void> {
    await this.deadlines.compareAndSet(
      page.flatMap(({ members }) =>
        members.filter(({ state }) => !state.life).map(({ state }) => onPlanWaits(state)),
      ),
    );
  }

  /** A bottle that has never reported leaves doses of its plan unknown: it is looked at, unless its alert is open. */
  async checkUnseen(page: readonly JudgedBottle[], now: Date): Promise<void> {
    const unseen = page.flatMap(({ members, judged }) =>
      members.filter(
        ({ bottle, state, silence }) =>
          !state.last_heard_at &&
          !silence &&
          judged.slots.some(
            ({ slot, outcome }) =>
              outcome === 'unknown' && sharedPlanAt(bottle.shared_plans, slot.missed_at) !== undefined,
          ),
      ),
    );
    for (const { bottle } of unseen) await this.states.change(bottle._id, toJudge(now));
  }
}
