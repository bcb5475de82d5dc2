import { DAY_MS, findDoubtfulCounts, groupBy, isCanary, type ReportProblem } from '#domain';
import {
  BottleActionsRepository,
  type BottleState,
  type NotedProblems,
  ReportProblemsRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';

/** Counts alternate within this time, and within so many actions: what one bottle sends costs no other. */
const LOOKED_BACK_MS = 2 * DAY_MS;
const MOST_ACTIONS = 40;

/** Notes on bottles which of their counts can hardly be so. The reports are kept, and judged as they are. */
@Injectable()
export class CountDoubts {
  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly problems: ReportProblemsRepository,
  ) {}

  /** Reads the actions of bottles with a removal of the last two days that nobody has judged yet. */
  async note(states: readonly BottleState[], now: Date): Promise<void> {
    const from = new Date(now.getTime() - LOOKED_BACK_MS);
    const to = new Date(now.getTime() + 1);
    const recent = states.flatMap(({ _id, unjudged_removals: removals = [] }) => {
      const unjudged = new Set(removals.map(({ time }) => time.getTime()));
      return !isCanary(_id) && removals.some(({ time }) => time >= from) ? [{ _id, unjudged }] : [];
    });
    const actions = await this.actions.findNewestOfBottles(
      recent.map(({ _id }) => _id),
      { from, to, limit: MOST_ACTIONS },
    );
    const byBottle = groupBy(actions, ({ bottle_id }) => bottle_id.toHexString());
    await this.problems.note(
      recent.flatMap(({ _id, unjudged }): NotedProblems[] => {
        const problems = findDoubtfulCounts(byBottle.get(_id.toHexString()) ?? [])
          .filter(({ time }) => unjudged.has(time.getTime()))
          .map(({ field, reason }) => toProblem(field, reason, now));
        return problems.length === 0 ? [] : [{ bottle_id: _id, problems }];
      }),
    );
  }
}

function toProblem(field: string, reason: string, now: Date): ReportProblem {
  return { effect: 'kept', field, reason, value_kind: 'number', first_at: now, last_at: now, count: 1 };
}
