import {
  DAY_MS,
  type DoubtfulCount,
  findDoubtfulCounts,
  groupBy,
  isCanary,
  type ReportProblem,
} from '#domain';
import { BottleActionsRepository, type NotedProblems, ReportProblemsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Judged } from './dose-judgement.js';

/**
 * Counts alternate within this time, also where each bottle is opened once a day, and within so many actions: what one
 * bottle sends costs no other.
 */
const LOOKED_BACK_MS = 3 * DAY_MS;
const MOST_ACTIONS = 40;

/** Notes on bottles which of their counts can hardly be so. The reports are kept, and judged as they are. */
@Injectable()
export class CountDoubts {
  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly problems: ReportProblemsRepository,
  ) {}

  /**
   * Reads the last actions of bottles with a removal that nobody has judged yet.
   *
   * @returns what is doubtful up to these removals and was not found with an earlier one, by the bottle's id in hex
   */
  async note(page: readonly Judged[], now: Date): Promise<ReadonlyMap<string, DoubtfulCount[]>> {
    const from = new Date(now.getTime() - LOOKED_BACK_MS);
    const to = new Date(now.getTime() + 1);
    const recent = page.flatMap(({ state: { _id, unjudged_removals: removals = [] }, bottle }) => {
      const unjudged = new Set(removals.map(({ time }) => time.getTime()));
      const isRecent = !isCanary(_id) && removals.some(({ time }) => time >= from);
      // another bottle reports under the new token
      return isRecent ? [{ _id, unjudged, since: bottle.token_replaced_at ?? from }] : [];
    });
    const actions = await this.actions.findNewestOfBottles(
      recent.map(({ _id }) => _id),
      { from, to, limit: MOST_ACTIONS },
    );
    const byBottle = groupBy(actions, ({ bottle_id }) => bottle_id.toHexString());
    const found = recent.flatMap(({ _id, unjudged, since }) => {
      const own = (byBottle.get(_id.toHexString()) ?? []).filter(({ time }) => time >= since);
      const doubts = findDoubtfulCounts(own).filter(({ time }) => unjudged.has(removalFrom(time, own)));
      return doubts.length === 0 ? [] : [{ bottle_id: _id, doubts }];
    });
    await this.problems.note(
      found.map(({ bottle_id, doubts }): NotedProblems => {
        return { bottle_id, problems: doubts.map((doubt) => toProblem(doubt, now)) };
      }),
    );
    return new Map(found.map(({ bottle_id, doubts }) => [bottle_id.toHexString(), doubts]));
  }
}

/** The time of the first removal at or after this one, which may be that of an opening; infinite if there is none yet. */
function removalFrom(time: Date, actions: readonly { time: Date; pills_taken?: number }[]): number {
  const removals = actions.filter((one) => one.time >= time && (one.pills_taken ?? 0) > 0);
  return Math.min(...removals.map((one) => one.time.getTime()));
}

function toProblem({ field, reason }: DoubtfulCount, now: Date): ReportProblem {
  return { effect: 'kept', field, reason, value_kind: 'number', first_at: now, last_at: now, count: 1 };
}
