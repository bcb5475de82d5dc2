import { isWithin, lastingPlan, askedAt, onPlanReport, onPlanWaits, toJudge } from '#domain';
import { BottleStatesRepository, DeadlinesRepository, type PlanMember } from '#persistence';
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

  /**
   * What bottles have reported that are, or were, for the plans of others is judged there. A plan that a bottle has left
   * learns of what was removed for it, or put back, and of contacts that its doses wait for.
   *
   * @returns whether there is something
   */
  async handOver(page: readonly JudgedBottle[], now: Date): Promise<boolean> {
    let isHandedOver = false;
    for (const { bottle, state, again_from: again } of page) {
      const { shared_plans: shared = [] } = bottle;
      // of one that has never reported there is nothing
      if (shared.length === 0 || !state.last_heard_at) continue;
      const leaders = new Map(shared.map(({ of }) => [of.toHexString(), of]));
      for (const [id, leader] of leaders) {
        const own = shared.filter(({ of }) => of.toHexString() === id);
        const removals = (state.unjudged_removals ?? []).filter(({ time }) =>
          own.some((each) => isWithin(each, time)),
        );
        const from = again && own.some(({ until }) => !until || again < until) ? again : undefined;
        if (!lastingPlan(own) && removals.length === 0 && !from && !state.dose_wait) continue;
        await this.states.change(leader, onPlanReport(removals, new Types.ObjectId(), now, from));
        isHandedOver = true;
      }
    }
    return isHandedOver;
  }

  /** The doses of these plans are judged again when a further bottle of them reports that was for them at the time. */
  async awaitMembers(page: readonly JudgedBottle[]): Promise<void> {
    await this.deadlines.compareAndSet(
      page.flatMap(({ members, judged }) =>
        members
          .filter(({ state, shared }) => !state.life && isOfDoses(shared, judged))
          .map(({ state }) => onPlanWaits(state)),
      ),
    );
  }

  /**
   * A bottle that has never reported leaves doses of its plan unknown: it is judged at once, unless its alert is open.
   *
   * @returns whether there is one
   */
  async checkUnseen(page: readonly JudgedBottle[], now: Date): Promise<boolean> {
    const unseen = page.flatMap(({ members, unsettled }) =>
      members.filter(
        (member) =>
          !member.state.last_heard_at &&
          !member.silence &&
          unsettled.some(
            ({ slot, outcome }) => outcome === 'unknown' && askedAt([member], slot.missed_at).length > 0,
          ),
      ),
    );
    for (const { bottle } of unseen) await this.states.change(bottle._id, toJudge(now));
    return unseen.length > 0;
  }
}

/** Whether a bottle was for the plan when the window of the first of these doses opened, or later. */
function isOfDoses(shared: PlanMember['shared'], { slots }: JudgedBottle['judged']): boolean {
  return shared.some(({ until }) => !until || slots.some(({ slot }) => slot.early_from < until));
}
