import { endPlan, endSharedPlan, isCanary, isInUse, lastingPlan, onScheduleChange, presentOf } from '#domain';
import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  MOST_PLAN_MEMBERS,
  type PlanAdmission,
  type PlanMember,
  type Registration,
  RegistrationsRepository,
  SharedPlansRepository,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';

/** What of a bottle must fit the one whose plan it is to be for. */
type Joining = Pick<Bottle, '_id' | 'user_id' | 'medication'>;

/** Several bottles of one plan: one has it, and the others are for it. */
@Injectable()
export class SharedPlansService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly plans: SharedPlansRepository,
    private readonly registrations: RegistrationsRepository,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a bottle that is not registered yet one that is for the plan of another one.
   *
   * @param admissions of the bottles that are registered together, by the id of the one that has the plan; takes this one
   * @throws Problem 400 `plan_of`
   */
  async prepare(bottle: Bottle, planOf: string, admissions: Map<string, PlanAdmission>): Promise<void> {
    const id = new Types.ObjectId(planOf);
    const { leader: found, members } = admissions.get(id.toHexString()) ?? {
      leader: await this.bottles.findById(id),
      members: [],
    };
    const leader = leaderOf(bottle, found, members.length);
    const from = bottle.registered_at;
    bottle.shared_plans = [{ of: id, from }];
    admissions.set(id.toHexString(), { leader, members: [...members, { bottle_id: bottle._id, from }] });
  }

  /**
   * Registers bottles, all or none, with what {@link prepare} made of them.
   *
   * @throws Problem 409 `changed_meanwhile`
   */
  async register(registrations: Registration[], admissions: readonly PlanAdmission[]): Promise<void> {
    const isDone = await this.plans.admit(admissions, async () => {
      await this.registrations.insertAll(registrations);
      return true;
    });
    if (!isDone) throw changedMeanwhile();
    for (const { leader, members } of admissions)
      await this.states.change(leader._id, onScheduleChange(members[0]!.from));
  }

  /**
   * A bottle is for the plan of another one from now on; its own plan ends, and so does another one that it is for.
   *
   * @throws Problem 400 `plan_of`; 409 `bottle_not_in_use`, `leads_plan`, `changed_meanwhile`
   */
  async join(id: Types.ObjectId, planOf: string): Promise<void> {
    const seen = await this.bottles.findById(id);
    if (!seen) throw Problem.notFound('bottle');
    const leader = await this.leaderFor(seen, planOf);
    if (!leader) return;
    const before = lastingPlan(seen.shared_plans);
    const at = presentOf(seen.schedule_versions, this.clock.now());
    const member = { ...seen, shared_plans: endSharedPlan(seen.shared_plans ?? [], at) };
    const schedule_versions = endPlan(seen.schedule_versions, at);
    if (!(await this.plans.join(member, leader, at, { schedule_versions }))) throw changedMeanwhile();
    await this.states.change(id, onScheduleChange(at));
    for (const { of } of [...(before ? [before] : []), { of: leader._id }])
      await this.states.change(of, onScheduleChange(at));
  }

  /**
   * The bottle whose plan another one is to be for; undefined if it is for it already.
   *
   * @throws Problem 400 `plan_of`; 409 `bottle_not_in_use`, `leads_plan`
   */
  async leaderFor(joining: Bottle, planOf: string): Promise<Bottle | undefined> {
    if (!isInUse(joining))
      throw new Problem(
        409,
        'bottle_not_in_use',
        'A bottle that is not in use is for no plan. Assign it first.',
      );
    if (lastingPlan(joining.shared_plans)?.of.toHexString() === planOf) return undefined;
    await this.assertNoMembers(joining);
    return leaderOf(joining, await this.bottles.findById(new Types.ObjectId(planOf)), 0);
  }

  /** A bottle is for no other bottle's plan from now on. @throws Problem 409 `changed_meanwhile` */
  async leave(seen: Bottle): Promise<void> {
    const before = lastingPlan(seen.shared_plans);
    if (!before) return;
    const at = presentOf(seen.schedule_versions, this.clock.now());
    if (!(await this.plans.replaceShared(seen, endSharedPlan(seen.shared_plans!, at))))
      throw changedMeanwhile();
    await this.onLeft(seen, at);
  }

  /** It is for no other bottle's plan any more, as the registry says: the doses of that plan are judged again. */
  async onLeft(seen: Bottle, at: Date): Promise<void> {
    const before = lastingPlan(seen.shared_plans);
    if (!before) return;
    await this.states.change(seen._id, onScheduleChange(at));
    await this.states.change(before.of, onScheduleChange(at));
  }

  /** The bottles that are for this one's plan now. */
  async membersOf(bottle: Bottle): Promise<PlanMember[]> {
    const found = (await this.plans.findMembers([bottle])).get(bottle._id.toHexString()) ?? [];
    return found.filter(({ shared }) => lastingPlan(shared) !== undefined);
  }

  /** @throws Problem 409 `leads_plan`: other bottles are for its plan, which would be nobody's */
  async assertNoMembers(bottle: Bottle): Promise<void> {
    if ((await this.membersOf(bottle)).length === 0) return;
    throw new Problem(
      409,
      'leads_plan',
      'Other bottles are for the plan of this one. Take them out of it first, with `plan_of`: null.',
    );
  }

  /** @throws Problem 409 `leads_plan`, `shares_plan`: what a bottle that shares a plan cannot have or be */
  async assertAlone(bottle: Bottle): Promise<void> {
    assertOwnPlan(bottle);
    await this.assertNoMembers(bottle);
  }
}

/**
 * The bottle whose plan another one is to be for, if it can be.
 *
 * @param more bottles that are taken into its plan before
 * @throws Problem 400 `plan_of`
 */
function leaderOf(joining: Joining, leader: Bottle | null, more: number): Bottle {
  if (!leader || isCanary(leader._id))
    throw Problem.field('plan_of', 'unknown_bottle', 'plan_of is no bottle');
  if (joining._id.equals(leader._id))
    throw Problem.field('plan_of', 'own_bottle', 'plan_of must be another bottle than this one');
  if (leader.user_id !== joining.user_id)
    throw Problem.field('plan_of', 'other_user', 'plan_of must be a bottle of the same user');
  if (leader.medication !== joining.medication)
    throw Problem.field('plan_of', 'other_medication', 'plan_of must be a bottle of the same medication');
  if (!isInUse(leader))
    throw Problem.field('plan_of', 'bottle_not_in_use', 'plan_of must be a bottle that is in use');
  if (lastingPlan(leader.shared_plans))
    throw Problem.field('plan_of', 'no_own_plan', 'plan_of must be the bottle that has the plan');
  if ((leader.plan_members ?? []).length + more >= MOST_PLAN_MEMBERS)
    throw Problem.field(
      'plan_of',
      'too_many_members',
      `At most ${MOST_PLAN_MEMBERS} times a bottle is taken into a plan`,
    );
  return leader;
}

/** @throws Problem 409 `shares_plan`: a bottle that is for the plan of another one has none of its own */
export function assertOwnPlan({ shared_plans }: Pick<Bottle, 'shared_plans'>): void {
  if (!lastingPlan(shared_plans)) return;
  throw new Problem(
    409,
    'shares_plan',
    'This bottle is for the plan of another one. Change that one, or take this one out of it with `plan_of`: null.',
  );
}

const changedMeanwhile = (): Problem =>
  new Problem(
    409,
    'changed_meanwhile',
    'Another request changed one of the bottles. Reload, then try again.',
  );
