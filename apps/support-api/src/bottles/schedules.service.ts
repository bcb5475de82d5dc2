import {
  DAY_MS,
  onScheduleChange,
  planAt,
  presentOf,
  type ScheduleWarning,
  planWarnings,
  type Slot,
  slotsBetween,
  type UnmonitoredPeriod,
  withoutStep,
  withStep,
} from '#domain';
import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  type Expected,
  MOST_SCHEDULE_VERSIONS,
  type StoredScheduleVersion,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { requireVersion } from '../http/versions.js';
import { assertInUse } from './in-use.js';
import type { PreviewScheduleDto, SetScheduleDto } from './plan.dto.js';
import { readPlan, readVersion } from './read-plan.js';
import { assertOwnPlan } from './shared-plans.service.js';

/** Enough doses to show the pattern of a schedule; with one dose a month, they cover a year. */
const PREVIEW_DOSES = 20;
const PREVIEW_MS = 366 * DAY_MS;

/** Of the callers who save at once, one wins each time. */
const MOST_TRIES = 100;

/** The schedule versions as they are to be, and what is new in them. */
interface PlanChange<T> {
  versions: StoredScheduleVersion[];
  made: T;
}

interface Plan {
  plan: StoredScheduleVersion[];
  warnings: ScheduleWarning[];
}
type Saved = StoredScheduleVersion & Plan;
type Preview = Plan & { doses: Slot[] };

/** What was made, and the bottle with it. */
interface Changed<T> {
  bottle: Bottle;
  made: T;
}

/** The schedule versions of a bottle. Nothing in the past ever changes. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a step that takes effect at its `effective_from`, or now. Later steps stay, unless it replaces them.
   *
   * @throws Problem 400; 404, also for a step to replace that is not planned; 409; 412
   */
  async set(
    id: Types.ObjectId,
    step: SetScheduleDto,
    expected: Expected,
  ): Promise<{ bottle: Bottle; saved: Saved }> {
    const { bottle, made, now } = await this.changePlan(id, expected, (seen, now) => {
      const change = withNewStep(seen, step, now);
      const warnings = warningsOf(change, seen.schedule_versions, now);
      return { ...change, made: { first: change.made[0]!, warnings } };
    });
    const plan = planAt(bottle.schedule_versions, now);
    return { bottle, saved: { ...made.first, plan, warnings: made.warnings } };
  }

  /**
   * Removes a step of the plan: its time, from now on, is that of the step before it.
   *
   * @throws Problem 404; 409 `first_step` if it is in effect and none was before it; 412
   */
  async remove(
    id: Types.ObjectId,
    effectiveFrom: string,
    expected: Expected,
  ): Promise<{ bottle: Bottle; plan: StoredScheduleVersion[] }> {
    const begins = new Date(effectiveFrom);
    const { bottle, now } = await this.changePlan(id, expected, (seen, now) => {
      const versions = withoutStep(seen.schedule_versions, begins, now, seen.time_zone);
      if (versions === 'not_found') throw Problem.notFound('step');
      if (versions === 'first') throw firstStep();
      return { versions, made: undefined };
    });
    return { bottle, plan: planAt(bottle.schedule_versions, now) };
  }

  /** Returns the plan as it would be, and its next doses, outside pauses. Nothing is stored. @throws Problem 400, 404 */
  async preview(id: Types.ObjectId, step: SetScheduleDto): Promise<Preview> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    const now = presentOf(bottle.schedule_versions, this.clock.now());
    return previewOf(withNewStep(bottle, step, now), bottle, now);
  }

  /** The same for a bottle that is not registered yet. @throws Problem 400 */
  previewNew({ time_zone, ...plan }: PreviewScheduleDto): Preview {
    const now = this.clock.now();
    const made = readPlan(plan, time_zone, now);
    if (made.length === 0) throw Problem.field('schedule', 'missing_field', 'schedule is missing');
    return previewOf({ versions: made, made }, { schedule_versions: [], pauses: [] }, now);
  }

  /** Changes the schedule versions, and again if somebody else has changed them meanwhile. @throws Problem 404, 409, 412 */
  private async changePlan<T>(
    id: Types.ObjectId,
    expected: Expected,
    change: (bottle: Bottle, now: Date) => PlanChange<T>,
  ): Promise<Changed<T> & { now: Date }> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const bottle = await this.bottles.findById(id);
      if (!bottle) throw Problem.notFound('bottle');
      requireVersion(bottle, expected);
      assertInUse(bottle);
      assertOwnPlan(bottle);
      const seen = bottle.schedule_versions;
      const now = presentOf(seen, this.clock.now());
      const { versions, made } = change(bottle, now);
      if (versions.length > MOST_SCHEDULE_VERSIONS) throw tooManySchedules();
      const changed = await this.bottles.replaceScheduleVersions(id, { seen, versions }, expected);
      if (!changed) continue;
      await this.states.change(id, onScheduleChange(now));
      return { bottle: changed, made, now };
    }
    throw new Problem(409, 'changed_meanwhile', 'Another request changed the schedule. Try again.');
  }
}

export const tooManySchedules = (): Problem =>
  new Problem(
    409,
    'too_many_schedules',
    `A bottle has ${MOST_SCHEDULE_VERSIONS} schedules at most, with the past ones.`,
  );

const firstStep = (): Problem =>
  new Problem(409, 'first_step', 'No step is before this one, which has begun. Change it, or add a pause.');

/** @throws Problem 400; 404 if the step to replace is not planned, or has begun */
function withNewStep(
  bottle: Bottle,
  { steps, ...step }: SetScheduleDto,
  now: Date,
): PlanChange<StoredScheduleVersion[]> {
  if (steps !== undefined) return withNewSteps(bottle, { steps, ...step }, now);
  const { schedule_versions, time_zone } = bottle;
  const { schedule, replaces, replaces_later } = step;
  const made = readVersion(schedule, time_zone, now);
  const replaced = replaces === undefined ? undefined : new Date(replaces);
  const isPlanned = schedule_versions.some(({ effective_from }) => +effective_from === Number(replaced));
  if (replaced && !(isPlanned && replaced > now)) throw Problem.notFound('step');
  return {
    versions: withStep(schedule_versions, made, { replaces: replaced, replaces_later }),
    made: [made],
  };
}

/** The same for several steps: as if they were saved one after the other. @throws Problem 400 naming the step's field */
function withNewSteps(
  { schedule_versions, time_zone }: Bottle,
  { steps, schedule, replaces, replaces_later }: SetScheduleDto,
  now: Date,
): PlanChange<StoredScheduleVersion[]> {
  if (replaces !== undefined)
    throw Problem.field('replaces', 'forbidden_field', 'replaces does not go with steps');
  const made = readPlan({ steps, schedule }, time_zone, now);
  const [first, ...others] = made;
  return {
    versions: others.reduce<StoredScheduleVersion[]>(
      (versions, step) => withStep(versions, step),
      withStep(schedule_versions, first!, { replaces_later }),
    ),
    made,
  };
}

function previewOf(
  change: PlanChange<StoredScheduleVersion[]>,
  { schedule_versions, pauses }: Pick<Bottle, 'schedule_versions' | 'pauses'>,
  now: Date,
): Preview {
  const { versions } = change;
  return {
    doses: comingDoses(versions, pauses, now),
    plan: planAt(versions, now),
    warnings: warningsOf(change, schedule_versions, now),
  };
}

/** @param before the versions until now */
const warningsOf = (
  { versions, made }: PlanChange<StoredScheduleVersion[]>,
  before: readonly StoredScheduleVersion[],
  now: Date,
): ScheduleWarning[] => planWarnings(made, planAt(versions, now), planAt(before, now));

function comingDoses(
  versions: readonly StoredScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  now: Date,
): Slot[] {
  const end = new Date(now.getTime() + PREVIEW_MS);
  return slotsBetween(versions, periods, now, end).slice(0, PREVIEW_DOSES);
}
