import { MOST_REPORT_PROBLEMS, problemsOverBefore, type ReportProblem } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { AnyBulkWriteOperation, Model, mongo, Types } from 'mongoose';
import { updateEach } from '../database/write-each.js';
import { BOTTLE_STATE, type StoredBottleState } from './bottle-state.schema.js';

/** Problems of a bottle's reports since they were noted last, with their counts since then. */
export interface NotedProblems {
  bottle_id: Types.ObjectId;
  problems: readonly ReportProblem[];
}

/** Notes problems of reports in the bottles' states. */
@Injectable()
export class ReportProblemsRepository {
  constructor(@InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>) {}

  /** One command: adds to what is known of each problem, and keeps those noted last. An erased bottle has none. */
  async note(noted: readonly NotedProblems[]): Promise<void> {
    await updateEach<NotedProblems, StoredBottleState>(this.states.collection, noted, toOperation);
  }
}

function toOperation({ bottle_id, problems }: NotedProblems): AnyBulkWriteOperation<StoredBottleState> {
  return { updateOne: { filter: { _id: bottle_id }, update: problems.map(toUpdate) } };
}

/** Puts a problem first, added to what was known of it; those that are over leave the list, and the oldest if it is full. */
function toUpdate({ count, first_at, last_at, ...problem }: ReportProblem): mongo.Document {
  const known = { $ifNull: ['$report_problems', []] };
  // literal: a field may have any name, such as `$where`
  const isIt = {
    $and: Object.entries({ effect: problem.effect, field: problem.field, reason: problem.reason }).map(
      ([name, value]) => ({ $eq: [`$$each.${name}`, { $literal: value }] }),
    ),
  };
  const isCurrent = { $gte: ['$$each.last_at', problemsOverBefore(last_at)] };
  const select = (cond: object): object => ({ $filter: { input: known, as: 'each', cond } });
  return {
    $set: {
      report_problems: {
        $let: {
          vars: { before: { $first: select({ $and: [isIt, isCurrent] }) } },
          in: {
            $slice: [
              {
                $concatArrays: [
                  [
                    {
                      ...literals(problem),
                      first_at: { $min: ['$$before.first_at', first_at] },
                      last_at: { $max: ['$$before.last_at', last_at] },
                      count: { $add: [{ $ifNull: ['$$before.count', 0] }, count] },
                    },
                  ],
                  select({ $and: [{ $not: [isIt] }, isCurrent] }),
                ],
              },
              MOST_REPORT_PROBLEMS,
            ],
          },
        },
      },
    },
  };
}

const literals = (of: object): object =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, { $literal: value as unknown }]));
