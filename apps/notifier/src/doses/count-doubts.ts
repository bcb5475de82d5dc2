import {
  DAY_MS,
  type DoubtfulCount,
  findAlternatingHeartbeats,
  findDoubtfulCounts,
  groupBy,
  isCanary,
  type ReportProblem,
} from '#domain';
import { BottleActionsRepository, type NotedProblems, ReportProblemsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { DoseEvidence, Judged } from './dose-judgement.js';

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
  async find(page: readonly Judged[], now: Date): Promise<ReadonlyMap<string, DoubtfulCount[]>> {
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
    return new Map(
      recent.map(({ _id, unjudged, since }) => {
        const id = _id.toHexString();
        const own = (byBottle.get(id) ?? []).filter(({ time }) => time >= since);
        return [id, findDoubtfulCounts(own).filter(({ time }) => unjudged.has(removalFrom(time, own)))];
      }),
    );
  }

  /** Writes them down. */
  async note(found: ReadonlyMap<string, readonly DoubtfulCount[]>, now: Date): Promise<void> {
    await this.problems.note(
      [...found].flatMap(([id, doubts]): NotedProblems[] =>
        doubts.length === 0
          ? []
          : [{ bottle_id: new Types.ObjectId(id), problems: doubts.map((doubt) => toProblem(doubt, now)) }],
      ),
    );
  }
}

/** Two counts that alternate in the heartbeats that were read because a dose is late, under the token of now. */
export function doubtfulHeartbeats({ bottle }: Judged, evidence: DoseEvidence | Error): DoubtfulCount[] {
  if (evidence instanceof Error || !evidence.counts || isCanary(bottle._id)) return [];
  const since = bottle.token_replaced_at ?? new Date(0);
  return findAlternatingHeartbeats(evidence.counts.heartbeats.filter(({ time }) => time >= since)).slice(-1);
}

/** The time of the first removal at or after this one, which may be that of an opening; infinite if there is none yet. */
function removalFrom(time: Date, actions: readonly { time: Date; pills_taken?: number }[]): number {
  const removals = actions.filter((one) => one.time >= time && (one.pills_taken ?? 0) > 0);
  return Math.min(...removals.map((one) => one.time.getTime()));
}

function toProblem({ field, reason }: DoubtfulCount, now: Date): ReportProblem {
  return { effect: 'kept', field, reason, value_kind: 'number', first_at: now, last_at: now, count: 1 };
}
