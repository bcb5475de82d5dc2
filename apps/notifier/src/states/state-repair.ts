import { DAY_MS, onAction, onContact, type Thresholds, thresholdsOf, toJudge } from '#domain';
import {
  BottleActionsRepository,
  BottleLogsRepository,
  type BottleState,
  BottleStatesRepository,
  type LastAction,
  type Since,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { NotifierConfig } from '../config.js';

const TWO_DAYS_MS = 2 * DAY_MS;

/** What the logs say of some bottles, by bottle id. */
export interface LogExcerpt {
  /** The last heartbeat in the time after which a bottle counts as silent. */
  lastHeartbeat: Map<string, Date>;
  /** The last action of all, unless the state knows a later one. */
  lastAction: Map<string, Pick<LastAction, 'time' | 'action'>>;
  /** Removals of the last two days, oldest first. */
  dosages: Map<string, Date[]>;
}

/** Brings a bottle's state up to its log, by the same transitions that device-api would have made. */
@Injectable()
export class StateRepair {
  private readonly thresholds: Thresholds;

  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly logs: BottleLogsRepository,
    private readonly states: BottleStatesRepository,
    config: NotifierConfig,
  ) {
    this.thresholds = thresholdsOf(config);
  }

  /**
   * The lab's three queries for a page of bottles, each made for all of them at once; of the actions from the last one
   * on that the state knows, as that may be any time ago.
   *
   * @param states by bottle id.
   */
  async readLogs(
    ids: Types.ObjectId[],
    states: ReadonlyMap<string, BottleState>,
    now: Date,
  ): Promise<LogExcerpt> {
    const since = (moment: (id: string) => number): Since[] =>
      ids.map((bottle_id) => ({ bottle_id, since: new Date(moment(bottle_id.toHexString())) }));
    const [heartbeats, lastAction, removals] = await Promise.all([
      this.logs.findHeartbeats(since(() => now.getTime() - this.thresholds.silentAfter)),
      this.logs.findLastActions(since((id) => states.get(id)?.last_action?.time.getTime() ?? 0)),
      this.logs.findDosages(since(() => now.getTime() - TWO_DAYS_MS)),
    ]);
    const inOrder = (times: Date[]): Date[] => times.sort((one, other) => one.getTime() - other.getTime());
    return {
      lastHeartbeat: new Map([...heartbeats].map(([id, times]) => [id, inOrder(times).at(-1)!])),
      lastAction,
      dosages: new Map([...removals].map(([id, found]) => [id, inOrder(found.map(({ time }) => time))])),
    };
  }

  /**
   * Open or closed. True when the state was behind.
   *
   * @param last the last action in the log, if there is any.
   */
  async present(
    state: BottleState,
    last: Pick<LastAction, 'time' | 'action'> | null | undefined,
  ): Promise<boolean> {
    const known = state.last_action;
    if (!last || (known && known.action === last.action && known.time >= last.time)) return false;
    if (known && known.time > last.time) return false;
    const newest = await this.actions.findNewest(state._id);
    if (!newest) return false;
    await this.states.change(state._id, ...onAction(newest, this.thresholds));
    return true;
  }

  /** Removals that the state does not know of: they are to be judged. True when there were some. */
  async removals(state: BottleState, { dosages }: LogExcerpt): Promise<boolean> {
    const known = state.last_action?.time;
    const missed = dosages.get(state._id.toHexString())?.find((time) => !known || time > known);
    if (!missed || (state.unjudged_removals?.length ?? 0) > 0) return false;
    const newest = await this.actions.findNewest(state._id);
    if (!newest) return false;
    await this.states.change(state._id, toJudge(newest.received_at, { id: newest._id, time: missed }));
    return true;
  }

  /** Last seen. True when the state was behind. */
  async contact(state: BottleState, { lastHeartbeat }: LogExcerpt): Promise<boolean> {
    const last = lastHeartbeat.get(state._id.toHexString());
    if (!last || (state.last_heard_at && state.last_heard_at >= last)) return false;
    await this.states.change(state._id, onContact(last, this.thresholds.silentAfter));
    return true;
  }
}
