import { backlogGrace } from '#domain';
import {
  actionUpdates,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  type BottleState,
  BottleStatesRepository,
  contactUpdate,
  type Thresholds,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

/** Brings a bottle's state up to its log, by the same updates that device-api would have made. */
@Injectable()
export class StateRepair {
  private readonly thresholds: Thresholds;

  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly states: BottleStatesRepository,
    config: NotifierConfig,
  ) {
    this.thresholds = {
      silentAfter: config.SILENT_BOTTLE_AFTER,
      openAfter: config.OPEN_BOTTLE_AFTER,
      backlogGrace: backlogGrace(config.SILENT_BOTTLE_AFTER),
    };
  }

  /** Open or closed, from the lab's query 2. True when the state was behind. */
  async present(state: BottleState): Promise<boolean> {
    const last = await this.actions.findLastAction(state._id);
    const known = state.last_action;
    if (!last || (known && known.action === last.action && known.time >= last.time)) return false;
    if (known && known.time > last.time) return false;
    const newest = await this.actions.findNewest(state._id);
    if (!newest) return false;
    await this.states.bulkWrite(actionUpdates(newest, this.thresholds));
    return true;
  }

  /** Removals that the state never learned of, from the lab's query 1: they are put up for judgement. */
  async removals(state: BottleState, since: Date): Promise<boolean> {
    const known = state.last_action?.time;
    const from = known && known > since ? new Date(known.getTime() + 1) : since;
    const missed = await this.actions.findDosagesSince(state._id, from);
    if (missed.length === 0 || (state.unjudged_removals?.length ?? 0) > 0) return false;
    const newest = await this.actions.findNewest(state._id);
    if (!newest) return false;
    await this.states.bulkWrite([
      {
        updateOne: {
          filter: { _id: state._id },
          update: {
            $addToSet: { unjudged_removals: { id: newest._id, time: missed[0]!.time } },
            $min: { dose_due_at: newest.received_at },
          },
        },
      },
    ]);
    return true;
  }

  /** Last heard, from the lab's query 3. True when the state was behind. */
  async contact(state: BottleState, now: Date): Promise<boolean> {
    const since = new Date(now.getTime() - this.thresholds.silentAfter);
    const last = await this.heartbeats.findLastHeartbeat(state._id, since);
    if (!last || (state.last_heard_at && state.last_heard_at >= last.time)) return false;
    await this.states.updateMany([state._id], contactUpdate(last.time, this.thresholds.silentAfter));
    return true;
  }
}
