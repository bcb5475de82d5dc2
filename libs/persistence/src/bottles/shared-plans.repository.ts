import { type SharedPlan, sharedWith, type StateAtSending } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model, Types } from 'mongoose';
import {
  BOTTLE_STATE,
  type BottleState,
  type StoredBottleState,
} from '../bottle-states/bottle-state.schema.js';
import { AT_SENDING } from '../bottle-states/bottle-states.repository.js';
import { toState } from '../bottle-states/phases.js';
import { inTransaction } from '../database/transaction.js';
import { newVersion } from '../database/version.js';
import { Bottle, type StoredScheduleVersion } from './bottle.schema.js';

/** A bottle that is, or was, for the plan of another one, and when. */
export interface PlanMember {
  bottle: Bottle;
  state: BottleState;
  shared: SharedPlan<Types.ObjectId>[];
}

/** Bottles that are taken into a plan, and the one that has it, as it was seen. */
export interface PlanAdmission {
  leader: Bottle;
  members: { bottle_id: Types.ObjectId; from: Date }[];
}

/** How often bottles are taken into one plan: each sweep of its doses reads them all. */
export const MOST_PLAN_MEMBERS = 20;

/** One of the bottles was no longer as it was seen. */
class ChangedMeanwhileError extends Error {}

/** Which bottles are for the plan of another one. The entry of each says when; that of the one with the plan lists them. */
@Injectable()
export class SharedPlansRepository {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel(Bottle.name) private readonly bottles: Model<Bottle>,
    @InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>,
  ) {}

  /** The bottles that are, or were, for the plans of these, by the id of the bottle that has it. No query if none has any. */
  async findMembers(leaders: readonly Bottle[]): Promise<Map<string, PlanMember[]>> {
    const ids = leaders.flatMap(({ plan_members = [] }) => plan_members.map(({ bottle_id }) => bottle_id));
    if (ids.length === 0) return new Map();
    const [found, stored] = await Promise.all([
      this.bottles.find({ _id: { $in: ids } }).lean<Bottle[]>(),
      this.states.find({ _id: { $in: ids } }).lean<StoredBottleState[]>(),
    ]);
    const states = new Map(stored.map((state) => [state._id.toHexString(), toState(state)]));
    const bottles = new Map(found.map((bottle) => [bottle._id.toHexString(), bottle]));
    return new Map(
      leaders.map((leader): [string, PlanMember[]] => [
        leader._id.toHexString(),
        memberIdsOf(leader).flatMap((id) => {
          const [bottle, state] = [bottles.get(id), states.get(id)];
          const shared = sharedWith(bottle?.shared_plans, leader._id);
          // without a state it is being erased
          return bottle && state && shared.length > 0 ? [{ bottle, state, shared }] : [];
        }),
      ]),
    );
  }

  /** What decides whether a message about a dose of these bottles may be sent, of the further bottles of their plans. */
  async findMembersAtSending(
    ids: Types.ObjectId[],
  ): Promise<Map<string, (StateAtSending & { _id: Types.ObjectId })[]>> {
    if (ids.length === 0) return new Map();
    const leaders = await this.bottles
      .find({ _id: { $in: ids }, plan_members: { $exists: true } }, { plan_members: 1 })
      .lean<Pick<Bottle, '_id' | 'plan_members'>[]>();
    const members = leaders.flatMap(({ plan_members = [] }) =>
      plan_members.map(({ bottle_id }) => bottle_id),
    );
    if (members.length === 0) return new Map();
    const found = await this.states.find({ _id: { $in: members } }, AT_SENDING).lean<StoredBottleState[]>();
    const states = new Map(found.map((state) => [state._id.toHexString(), toState(state)]));
    return new Map(
      leaders.map((leader) => [
        leader._id.toHexString(),
        memberIdsOf(leader).flatMap((id) => states.get(id) ?? []),
      ]),
    );
  }

  /** A bottle is for the plan of another one from an instant on. @returns false if one of them is no longer as it was seen */
  join(
    member: Bottle,
    leader: Bottle,
    from: Date,
    change: { schedule_versions: StoredScheduleVersion[] },
  ): Promise<boolean> {
    const { _id, version, shared_plans = [] } = member;
    return this.admit([{ leader, members: [{ bottle_id: _id, from }] }], async () => {
      const shared = [...shared_plans, { of: leader._id, from }];
      const done = await this.bottles.updateOne({ _id, version: version ?? null } as object, {
        $set: { ...change, shared_plans: shared, ...newVersion() },
      });
      return done.matchedCount === 1;
    });
  }

  /**
   * Lists bottles with those that have their plans, and does the rest: all of it or nothing.
   *
   * @param rest says whether it was done; it may be repeated
   * @returns false if the rest was not done, or if one that has a plan is no longer as it was seen
   */
  async admit(admissions: readonly PlanAdmission[], rest: () => Promise<boolean>): Promise<boolean> {
    try {
      await inTransaction(this.connection, async () => {
        for (const { leader, members } of admissions) {
          const { _id, version } = leader;
          const listed = await this.bottles.updateOne({ _id, version: version ?? null } as object, {
            $push: { plan_members: { $each: members } },
            $set: newVersion(),
          });
          if (listed.matchedCount === 0) throw new ChangedMeanwhileError();
        }
        if (!(await rest())) throw new ChangedMeanwhileError();
      });
      return true;
    } catch (error) {
      if (error instanceof ChangedMeanwhileError) return false;
      throw error;
    }
  }

  /** A bottle is about to be erased: those that have the plans that it was for keep when it was. May be repeated. */
  async noteErasure({ _id, shared_plans = [] }: Bottle, now: Date): Promise<void> {
    for (const { of, from, until = now } of shared_plans)
      await this.bottles.updateOne(
        { _id: of, plan_members: { $exists: true } },
        { $set: { 'plan_members.$[member].erased_until': until } },
        { arrayFilters: [{ 'member.bottle_id': _id, 'member.from': from }] },
      );
  }

  /** Replaces the times in which a bottle is for the plans of others. @returns false if it is no longer as it was seen */
  async replaceShared(
    { _id, version }: Bottle,
    shared_plans: SharedPlan<Types.ObjectId>[],
  ): Promise<boolean> {
    const done = await this.bottles.updateOne({ _id, version: version ?? null } as object, {
      $set: { shared_plans, ...newVersion() },
    });
    return done.matchedCount === 1;
  }
}

/** When bottles that are erased now were for the plan of this one. */
export function erasedMembersOf({
  plan_members = [],
}: Pick<Bottle, 'plan_members'>): { from: Date; until: Date }[] {
  return plan_members.flatMap(({ from, erased_until: until }) => (until ? [{ from, until }] : []));
}

/** In hex; a bottle that joined more than once is one. */
function memberIdsOf({ plan_members = [] }: Pick<Bottle, 'plan_members'>): string[] {
  return [...new Set(plan_members.map(({ bottle_id }) => bottle_id.toHexString()))];
}
